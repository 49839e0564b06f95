-- Every outcome, written together with its effect. The records that it touched are rows, in order; they may be gone
-- since (transient ones) or never have been written (refused ones), so no foreign key holds them.
CREATE TABLE {decisions} (
    anchor_id uuid NOT NULL,
    id uuid NOT NULL,
    verb text NOT NULL,
    decided_at timestamptz NOT NULL,
    decision {decision} NOT NULL,
    reason text NOT NULL,
    rule text,
    CONSTRAINT {decisions_pkey} PRIMARY KEY (anchor_id, id)
);

CREATE TABLE {decision_records} (
    anchor_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    position integer NOT NULL,
    memory_id uuid NOT NULL,
    CONSTRAINT {decision_records_pkey} PRIMARY KEY (anchor_id, decision_id, position),
    CONSTRAINT {decision_records_decision} FOREIGN KEY (anchor_id, decision_id) REFERENCES {decisions} (anchor_id, id)
        ON DELETE RESTRICT
);

CREATE INDEX {decision_records_of_memory} ON {decision_records} (anchor_id, memory_id);
