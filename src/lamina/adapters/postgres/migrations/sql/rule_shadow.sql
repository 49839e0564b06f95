-- D8: a body of 100 characters or more that is more than 0.85 similar to a rule of its anchor is refused.
-- Floor and threshold are contracts, not configuration.

-- Loads pg_trgm: until then its settings are unknown, and only a superuser may put an unknown one into a function.
SELECT {similarity}('', '');

CREATE INDEX IF NOT EXISTS {canonical_trigrams} ON {canonical}
    USING gist ({canonical_anchor_names}, {rule_body} {trigram_ops}(siglen = 1024));

-- The rule of the bound anchor that a body copies. It runs as its owner, so that row security on the rules does not keep
-- it from their index (see canonical.sql).
CREATE FUNCTION {copied_rule}(body text) RETURNS TABLE (id uuid, version text, similarity real)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- The threshold of %, which only finds candidates in the index: it compares as a double, and 17/20 as a real is more
-- than 0.85 as a double.
SET pg_trgm.similarity_threshold = 0.8499
-- The planner takes comparing texts for cheap: it would read a thousand rules one by one, in twenty times the time.
SET enable_seqscan = off
AS $$
    -- By its number: a column of the rules may have any name.
    SELECT {rule_id}, {rule_version}::text, near.similarity
    FROM {canonical}
    CROSS JOIN LATERAL (SELECT {similarity}({rule_body}, $1) AS similarity) AS near
    WHERE {canonical_is_bound}
        AND {rule_body} OPERATOR({trigram_schema}.%) $1
        AND near.similarity > 0.85::real
    ORDER BY near.similarity DESC, 1, 2
    LIMIT 1;
$$;
REVOKE ALL ON FUNCTION {copied_rule}(text) FROM PUBLIC;
