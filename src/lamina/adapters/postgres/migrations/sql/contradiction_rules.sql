-- D7: a contradiction of a known version of a rule holds that version.
ALTER TABLE {rule_contradictions} ADD CONSTRAINT {contradicted_rule}
    FOREIGN KEY ({anchor_names}, rule_id, rule_version) REFERENCES {canonical} ({canonical_key}) ON DELETE RESTRICT;
CREATE INDEX {rule_contradictions_of_rule} ON {rule_contradictions} ({anchor_names}, rule_id, rule_version)
    WHERE rule_id IS NOT NULL;
