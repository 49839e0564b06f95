-- D6: references are rows with real foreign keys, pinned to a version. A rule that is referred to cannot be deleted,
-- and the anchor's own columns are part of the key: another anchor's rule cannot be referred to.
CREATE TABLE {rule_refs} (
    anchor_id uuid NOT NULL,
    {anchor_columns},
    memory_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    rule_version text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT {rule_refs_pkey} PRIMARY KEY (anchor_id, memory_id, rule_id, rule_version),
    CONSTRAINT {rule_refs_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT,
    CONSTRAINT {rule_refs_rule} FOREIGN KEY ({anchor_names}, rule_id, rule_version)
        REFERENCES {canonical} ({canonical_key}) ON DELETE RESTRICT
);

CREATE INDEX {rule_refs_of_rule} ON {rule_refs} ({anchor_names}, rule_id, rule_version);
