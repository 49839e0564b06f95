-- The rule of the bound anchor of which a body holds the largest share of phrases. It runs as its owner, as && under row
-- security would not use the index; it asks for the bound anchor only.
CREATE OR REPLACE FUNCTION {most_held_rule}(body text) RETURNS TABLE (id uuid, version text, share double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
-- A column of the rules may have any name, one of those above too: then the column is meant, and what is the function's
-- own is said in full.
#variable_conflict use_column
<<own>>
DECLARE
    said bigint[];
BEGIN
    IF char_length($1) < 100 OR {containment}() IS NULL THEN
        RETURN;
    END IF;
    said := {phrases}($1, {bound_key});
    IF cardinality(own.said) = 0 THEN
        RETURN;
    END IF;
    RETURN QUERY
    -- Found by their phrases, whose numbers are the anchor's own, before anything else is asked of them: the planner would
    -- rather read every rule of the anchor.
    WITH rule AS MATERIALIZED (
        SELECT {canonical_anchor_names}, {rule_id} AS rule, {rule_version}::text AS of_version, {rule_body} AS text
        FROM {canonical}
        WHERE {phrases}({rule_body}, {rule_key}) && own.said
    )
    SELECT rule.rule, rule.of_version, held.share
    FROM rule
    CROSS JOIN LATERAL (
        SELECT count(*) AS phrases, count(*) FILTER (WHERE phrase = ANY (own.said))::double precision / count(*) AS share
        FROM unnest({phrases}(rule.text, {rule_key})) AS phrase
    ) AS held
    WHERE {canonical_is_bound} AND held.phrases >= 4 AND held.share >= {containment}()
    ORDER BY held.share DESC, 1, 2
    LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION {most_held_rule}(text) FROM PUBLIC;
