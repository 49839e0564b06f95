-- D9: who confirmed a record or failed to. There is no last_corroborated_at: it is MAX(corroborated_at) of these.
CREATE TYPE {source_type} AS ENUM (
    'observation_event', 'rule_change', 'cross_version_carry', 'operator_input', 'agent_inference'
);
CREATE TYPE {finding} AS ENUM ('confirmed', 'failed');

CREATE TABLE {corroborations} (
    anchor_id uuid NOT NULL,
    id uuid NOT NULL,
    memory_id uuid NOT NULL,
    source_type {source_type} NOT NULL,
    source_ref uuid NOT NULL,
    corroborated_at timestamptz NOT NULL,
    session_id uuid,
    outcome {finding} NOT NULL,
    notes text NOT NULL,
    world_version text,
    found_in uuid,
    CONSTRAINT {corroborations_pkey} PRIMARY KEY (anchor_id, id),
    CONSTRAINT {corroborations_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT
);

CREATE INDEX {corroborations_of_memory} ON {corroborations} (anchor_id, memory_id, corroborated_at);
-- Whether a record is evidence for another one.
CREATE INDEX {corroborations_of_source} ON {corroborations} (anchor_id, source_ref);
