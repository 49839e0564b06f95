-- The audit rule: what justified an action cannot be removed from beneath it, whatever its tier.
CREATE TABLE {action_links} (
    anchor_id uuid NOT NULL,
    kind text NOT NULL,
    ref text NOT NULL,
    memory_id uuid NOT NULL,
    linked_at timestamptz NOT NULL,
    CONSTRAINT {action_links_pkey} PRIMARY KEY (anchor_id, kind, ref, memory_id),
    CONSTRAINT {action_links_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT
);

CREATE INDEX {action_links_of_memory} ON {action_links} (anchor_id, memory_id);
