-- D8: a body of 100 characters or more that is more than 0.85 similar to a rule of its anchor is refused.
-- Floor and threshold are contracts, not configuration.

-- Loads pg_trgm: until then its settings are unknown, and only a superuser may put an unknown one into a function.
SELECT {similarity}('', '');

CREATE INDEX IF NOT EXISTS {canonical_trigrams} ON {canonical}
    USING gist ({canonical_anchor_names}, {rule_body} {trigram_ops}(siglen = 1024));
