-- The rule of the bound anchor that a body copies. It runs as its owner, so that row security on the rules does not keep
-- it from their index (see canonical.sql).
CREATE OR REPLACE FUNCTION {copied_rule}(body text) RETURNS TABLE (id uuid, version text, similarity real)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- The threshold of %, which only finds candidates in the index: it compares as a double, and 17/20 as a real is more
-- than 0.85 as a double.
SET pg_trgm.similarity_threshold = 0.8499
-- The planner takes comparing texts for cheap: it would read a thousand rules one by one, in twenty times the time.
SET enable_seqscan = off
AS $$
    -- A column of the rules may have any name: so theirs are said in full, and the body by its number.
    SELECT known.{rule_id}, known.{rule_version}::text, near.similarity
    FROM {canonical} AS known
    CROSS JOIN LATERAL (SELECT {similarity}(known.{rule_body}, $1) AS similarity) AS near
    WHERE {canonical_is_bound}
        AND known.{rule_body} OPERATOR({trigram_schema}.%) $1
        AND near.similarity > 0.85::real
    ORDER BY near.similarity DESC, 1, 2
    LIMIT 1;
$$;
REVOKE ALL ON FUNCTION {copied_rule}(text) FROM PUBLIC;
