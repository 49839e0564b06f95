-- What does not fit together, and every step of what became of it (D7). Only for a spec that keeps contradictions.
-- A side is a rule or another record; what a row does not have is NULL, and NULL refers to nothing.
-- There is no CHECK on which: one that names an indexed column keeps DuckDB from updating the status beside it.
CREATE TABLE $schema.${prefix}_rule_contradictions (
    anchor_id UUID NOT NULL,
    $anchor_columns,
    id UUID NOT NULL,
    memory_id UUID NOT NULL,
    rule_id UUID,
    rule_version VARCHAR,
    other_memory_id UUID,
    world_version VARCHAR,
    observed_at TIMESTAMPTZ NOT NULL,
    status VARCHAR NOT NULL
        CHECK (status IN ('open', 'dismissed', 'surfaced_to_operator', 'promoted_to_revision_signal')),
    PRIMARY KEY (anchor_id, id),
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id),
    FOREIGN KEY (anchor_id, other_memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)$rule_reference
);

CREATE TABLE $schema.${prefix}_contradiction_history (
    anchor_id UUID NOT NULL,
    contradiction_id UUID NOT NULL,
    position INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    notes VARCHAR NOT NULL,
    PRIMARY KEY (anchor_id, contradiction_id, position),
    FOREIGN KEY (anchor_id, contradiction_id) REFERENCES $schema.${prefix}_rule_contradictions (anchor_id, id)
);
