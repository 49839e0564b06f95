-- P13: references resolve to canonical text when they are read; nothing keeps a copy. The view reads as whoever asks.
CREATE VIEW {memory_rules} WITH (security_invoker = true) AS
SELECT ref.anchor_id, ref.memory_id, ref.rule_id, ref.rule_version, rule.{rule_body} AS rule_body
FROM {rule_refs} AS ref
JOIN {canonical} AS rule ON {rule_is_of_ref} AND rule.{rule_id} = ref.rule_id AND rule.{rule_version} = ref.rule_version;
