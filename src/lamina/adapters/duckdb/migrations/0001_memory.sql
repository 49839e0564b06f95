-- The memory of one agent. $schema, $prefix and the anchor's columns come from its spec.
CREATE SCHEMA IF NOT EXISTS $schema;
CREATE TYPE $schema.${prefix}_tier AS ENUM ('interaction', 'session', 'persistent');
CREATE TYPE $schema.${prefix}_typology AS ENUM ('episodic', 'semantic', 'procedural');

-- One table per agent, with tier and typology as discriminators (D3). No CHECK on the two together (D4).
-- DuckDB cannot update an indexed column of a row that a foreign key points at, so only what never changes is indexed.
CREATE TABLE $schema.${prefix}_memory (
    anchor_id UUID NOT NULL,
    $anchor_columns,
    id UUID NOT NULL,
    session_id UUID,
    interaction_id UUID,
    tier $schema.${prefix}_tier NOT NULL,
    typology $schema.${prefix}_typology NOT NULL,
    tags VARCHAR NOT NULL,
    body_text VARCHAR NOT NULL CHECK (length(body_text) <= $body_bound),
    claim_subject VARCHAR,
    claim_aspect VARCHAR,
    claim_value VARCHAR,
    subject_key VARCHAR,
    aspect_key VARCHAR,
    reach VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    granted_at TIMESTAMPTZ,
    valid_at TIMESTAMPTZ NOT NULL,
    invalid_at TIMESTAMPTZ,
    held_at TIMESTAMPTZ,
    held_by VARCHAR,
    promoted_at TIMESTAMPTZ,
    promoted_into UUID,
    exempted_at TIMESTAMPTZ,
    archived_at TIMESTAMPTZ,
    invalidated_at TIMESTAMPTZ,
    former_invalid_at TIMESTAMPTZ,
    superseded_at TIMESTAMPTZ,
    superseded_by UUID,
    tombstoned_at TIMESTAMPTZ,
    state_reason VARCHAR,
    erasure_reason VARCHAR,
    world_version VARCHAR,
    origin_session_id UUID,
    origin_interaction_id UUID,
    origin_position INTEGER,
    embedding_id UUID,
    version INTEGER NOT NULL CHECK (version >= 1),
    PRIMARY KEY (anchor_id, id),
    CHECK (invalid_at IS NULL OR valid_at <= invalid_at)
);
CREATE INDEX ${prefix}_memory_by_id ON $schema.${prefix}_memory (id);

-- The retrievable table (D11). Rows are written once; while a model takes the place of another, there are two for an id.
CREATE TABLE $schema.${prefix}_embeddings (
    anchor_id UUID NOT NULL,
    id UUID NOT NULL,
    memory_id UUID NOT NULL,
    model VARCHAR NOT NULL,
    dimension INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (anchor_id, id, model),
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)
);

-- What a record is found by exactly: one row for each that can be found. The terms are one text, kept apart by U+001F;
-- the frequencies are as many unsigned 32-bit numbers. numpy reads both faster than lists.
CREATE TABLE $schema.${prefix}_documents (
    anchor_id UUID NOT NULL,
    memory_id UUID NOT NULL,
    length INTEGER NOT NULL CHECK (length >= 0),
    terms VARCHAR NOT NULL,
    frequencies BLOB NOT NULL,
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)
);

-- Which memory justified which action: what is linked stays for good (D10).
CREATE TABLE $schema.${prefix}_action_links (
    anchor_id UUID NOT NULL,
    kind VARCHAR NOT NULL,
    ref VARCHAR NOT NULL,
    memory_id UUID NOT NULL,
    linked_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (anchor_id, kind, ref, memory_id),
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)
);

-- Every outcome, written together with its effect. The records that it touched are rows, in order.
CREATE TABLE $schema.${prefix}_decisions (
    anchor_id UUID NOT NULL,
    id UUID NOT NULL,
    verb VARCHAR NOT NULL,
    decided_at TIMESTAMPTZ NOT NULL,
    decision VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    rule VARCHAR,
    PRIMARY KEY (anchor_id, id)
);

CREATE TABLE $schema.${prefix}_decision_records (
    anchor_id UUID NOT NULL,
    decision_id UUID NOT NULL,
    position INTEGER NOT NULL,
    memory_id UUID NOT NULL,
    PRIMARY KEY (anchor_id, decision_id, position),
    FOREIGN KEY (anchor_id, decision_id) REFERENCES $schema.${prefix}_decisions (anchor_id, id)
);
