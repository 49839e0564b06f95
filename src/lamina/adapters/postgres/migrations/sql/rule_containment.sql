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
