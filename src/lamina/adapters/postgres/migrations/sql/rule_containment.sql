-- Containment: a body that holds much of a rule of its anchor is refused, a half quote or a padded copy. D8 misses both.
-- The share is the spec's. Bodies under 100 characters are not compared, as in D8, nor rules of fewer than eight words.

-- Every five words in a row, as a number. Words are told as lamina.domain.words tells them. The planner must not take
-- this for cheap: it would work it out for every rule, and not ask the index.
CREATE FUNCTION {phrases}(body text, seed bigint) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
RETURN (
    SELECT coalesce(
        array_agg(DISTINCT hashtextextended(
            word[place] || ' ' || word[place + 1] || ' ' || word[place + 2] || ' ' || word[place + 3]
            || ' ' || word[place + 4],
            seed
        )),
        ARRAY[]::bigint[]
    )
    FROM (
        SELECT string_to_array(btrim(regexp_replace(
            translate(lower(regexp_replace(normalize(body, NFKD), {unseen}, '', 'g')), {drawn}, {meant}),
            '[^[:alnum:]]+', ' ', 'g'
        )), ' ') AS word
    ) AS said, generate_series(1, cardinality(word) - 4) AS place
);

CREATE INDEX IF NOT EXISTS {canonical_phrases} ON {canonical}
    USING gin ({phrases}({rule_body}, {rule_key})) WITH (fastupdate = off);

-- The rule of the bound anchor of which a body holds the largest share of phrases. It runs as its owner, as && under row
-- security would not use the index; it asks for the bound anchor only.
CREATE FUNCTION {most_held_rule}(body text) RETURNS TABLE (id uuid, version text, share double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
    said bigint[];
BEGIN
    IF char_length(body) < 100 OR {containment}() IS NULL THEN
        RETURN;
    END IF;
    said := {phrases}(body, {bound_key});
    IF cardinality(said) = 0 THEN
        RETURN;
    END IF;
    RETURN QUERY
    -- Found by their phrases, whose numbers are the anchor's own, before anything else is asked of them: the planner would
    -- rather read every rule of the anchor.
    WITH rule AS MATERIALIZED (
        SELECT {canonical_anchor_names}, {rule_id} AS rule, {rule_version}::text AS of_version, {rule_body} AS text
        FROM {canonical}
        WHERE {phrases}({rule_body}, {rule_key}) && said
    )
    SELECT rule.rule, rule.of_version, held.share
    FROM rule
    CROSS JOIN LATERAL (
        SELECT count(*) AS phrases, count(*) FILTER (WHERE phrase = ANY (said))::double precision / count(*) AS share
        FROM unnest({phrases}(rule.text, {rule_key})) AS phrase
    ) AS held
    WHERE {canonical_is_bound} AND held.phrases >= 4 AND held.share >= {containment}()
    ORDER BY held.share DESC, 1, 2
    LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION {most_held_rule}(text) FROM PUBLIC;
