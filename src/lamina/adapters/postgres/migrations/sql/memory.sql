-- D3: one table per agent, with tier and typology as discriminators. D4: no CHECK on the two together; the spec and
-- the gateway decide. D5: world_version is provenance. D10: state columns instead of removal. D11: embedding_id is
-- NULL where a record lives and dies without an embedding.
CREATE TABLE {memory} (
    anchor_id uuid NOT NULL,
    {anchor_columns},
    id uuid NOT NULL,
    session_id uuid,
    interaction_id uuid,
    tier {tier} NOT NULL,
    typology {typology} NOT NULL,
    tags jsonb NOT NULL,
    body_text text NOT NULL,
    claim_subject text,
    claim_aspect text,
    claim_value text,
    subject_key text,
    aspect_key text,
    reach {reach} NOT NULL,
    recorded_at timestamptz NOT NULL,
    granted_at timestamptz,
    valid_at timestamptz NOT NULL,
    invalid_at timestamptz,
    held_at timestamptz,
    held_by text,
    promoted_at timestamptz,
    promoted_into uuid,
    exempted_at timestamptz,
    archived_at timestamptz,
    invalidated_at timestamptz,
    former_invalid_at timestamptz,
    superseded_at timestamptz,
    superseded_by uuid,
    tombstoned_at timestamptz,
    state_reason text,
    erasure_reason text,
    world_version text,
    origin_session_id uuid,
    origin_interaction_id uuid,
    origin_position integer,
    embedding_id uuid,
    version integer NOT NULL,
    CONSTRAINT {memory_pkey} PRIMARY KEY (anchor_id, id),
    CONSTRAINT {body_bound} CHECK (char_length(body_text) <= {most_characters}),
    CONSTRAINT {validity} CHECK (valid_at <= invalid_at),
    CONSTRAINT {version_counts} CHECK (version >= 1),
    -- Two live persistent claims about one matter never hold at one time. Transient rows are left out: a promotion
    -- would collide with its own source.
    CONSTRAINT {live_claims} EXCLUDE USING gist (
        anchor_id WITH =,
        typology WITH =,
        subject_key WITH =,
        aspect_key WITH =,
        tstzrange(valid_at, invalid_at) WITH &&
    ) WHERE (
        tier = 'persistent' AND subject_key IS NOT NULL
        AND held_at IS NULL AND archived_at IS NULL AND invalidated_at IS NULL
        AND superseded_at IS NULL AND tombstoned_at IS NULL
    )
) {partitioning};

CREATE INDEX {memory_sessions} ON {memory} (anchor_id, session_id) WHERE session_id IS NOT NULL;
-- Who stood beside whom when it was first observed.
CREATE INDEX {memory_origins} ON {memory} (anchor_id, origin_session_id, origin_position)
    WHERE origin_session_id IS NOT NULL;
-- What waits to be promoted, by its matter.
CREATE INDEX {memory_held} ON {memory} (anchor_id, subject_key, aspect_key) WHERE held_at IS NOT NULL;
-- What led on to a record.
CREATE INDEX {memory_superseded} ON {memory} (anchor_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX {memory_promoted} ON {memory} (anchor_id, promoted_into) WHERE promoted_into IS NOT NULL;
