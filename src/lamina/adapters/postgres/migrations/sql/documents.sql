-- What a record is found by exactly: the lexemes of its body and the labels of its envelope, in one row, which is all
-- that a write pays. Maintenance spreads documents into postings; until then they are looked through one by one.
CREATE TABLE {documents} (
    anchor_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    -- The record's own, which never changes: where scores are equal, it decides without a look at the record.
    valid_at timestamptz NOT NULL,
    length integer NOT NULL,
    terms text[] NOT NULL,
    frequencies integer[] NOT NULL,
    spread boolean NOT NULL DEFAULT false,
    CONSTRAINT {documents_pkey} PRIMARY KEY (anchor_id, memory_id),
    CONSTRAINT {documents_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT
) {partitioning};

-- How many there are that have lexemes, and how long they are together.
CREATE INDEX {documents_lengths} ON {documents} (anchor_id, length) WHERE length > 0;
CREATE INDEX {documents_fresh} ON {documents} (anchor_id) WHERE NOT spread;
