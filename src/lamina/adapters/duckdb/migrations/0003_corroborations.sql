-- Who confirmed a record or failed to (D9). Only for a spec that keeps corroborations.
CREATE TABLE $schema.${prefix}_corroborations (
    anchor_id UUID NOT NULL,
    id UUID NOT NULL,
    memory_id UUID NOT NULL,
    source_type VARCHAR NOT NULL,
    source_ref UUID NOT NULL,
    corroborated_at TIMESTAMPTZ NOT NULL,
    session_id UUID,
    outcome VARCHAR NOT NULL CHECK (outcome IN ('confirmed', 'failed')),
    notes VARCHAR NOT NULL,
    world_version VARCHAR,
    found_in UUID,
    PRIMARY KEY (anchor_id, id),
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)
);
