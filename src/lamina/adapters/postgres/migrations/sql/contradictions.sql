-- D7: contradictions are first-class, with a status of their own. Each is against a rule or against another record.
CREATE TYPE {contradiction_status} AS ENUM (
    'open', 'dismissed', 'surfaced_to_operator', 'promoted_to_revision_signal'
);

CREATE TABLE {rule_contradictions} (
    anchor_id uuid NOT NULL,
    {anchor_columns},
    id uuid NOT NULL,
    memory_id uuid NOT NULL,
    rule_id uuid,
    rule_version text,
    other_memory_id uuid,
    world_version text,
    observed_at timestamptz NOT NULL,
    status {contradiction_status} NOT NULL,
    CONSTRAINT {rule_contradictions_pkey} PRIMARY KEY (anchor_id, id),
    CONSTRAINT {rule_contradictions_against} CHECK (num_nonnulls(rule_id, other_memory_id) = 1),
    CONSTRAINT {rule_contradictions_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT,
    CONSTRAINT {rule_contradictions_other_memory} FOREIGN KEY (anchor_id, other_memory_id)
        REFERENCES {memory} (anchor_id, id) ON DELETE RESTRICT
);

-- In the order in which those of one status are listed; equality of enums is not leakproof, so status is no part of it.
CREATE INDEX {rule_contradictions_in_order} ON {rule_contradictions} (anchor_id, observed_at, id);
CREATE INDEX {rule_contradictions_of_memory} ON {rule_contradictions} (anchor_id, memory_id);
CREATE INDEX {rule_contradictions_other} ON {rule_contradictions} (anchor_id, other_memory_id)
    WHERE other_memory_id IS NOT NULL;

-- How it came to its status, step by step.
CREATE TABLE {contradiction_history} (
    anchor_id uuid NOT NULL,
    contradiction_id uuid NOT NULL,
    position integer NOT NULL,
    status {contradiction_status} NOT NULL,
    changed_at timestamptz NOT NULL,
    notes text NOT NULL,
    CONSTRAINT {contradiction_history_pkey} PRIMARY KEY (anchor_id, contradiction_id, position),
    CONSTRAINT {contradiction_history_contradiction} FOREIGN KEY (anchor_id, contradiction_id)
        REFERENCES {rule_contradictions} (anchor_id, id) ON DELETE RESTRICT
);
