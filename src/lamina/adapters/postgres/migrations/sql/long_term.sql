-- Long-term memory of one persona: one entry for each event of its log, in a table of its own. A pending entry says what
-- it waits for, how often it was tried and what was said last. Kinds and statuses are texts: equality of enums is not
-- leakproof. The collection's name is data: no statement is made of it.
CREATE TABLE {long_term} (
    anchor_id uuid NOT NULL,
    position integer NOT NULL,
    id uuid NOT NULL,
    collection text NOT NULL,
    loop_id uuid NOT NULL,
    ts timestamptz NOT NULL,
    kind text NOT NULL,
    visibility text NOT NULL,
    entry text,
    status text NOT NULL,
    attempts integer NOT NULL,
    last_error text,
    length integer NOT NULL,
    terms text[] NOT NULL,
    frequencies integer[] NOT NULL,
    model text,
    vector {vector_type},
    CONSTRAINT {long_term_pkey} PRIMARY KEY (anchor_id, position),
    CONSTRAINT {long_term_ids} UNIQUE (anchor_id, id),
    CONSTRAINT {long_term_event} FOREIGN KEY (anchor_id, position) REFERENCES {events} (anchor_id, position)
        ON DELETE RESTRICT,
    CONSTRAINT {long_term_statuses} CHECK (status IN ({derivation_statuses})),
    CONSTRAINT {long_term_whole} CHECK (status <> 'derived' OR (entry IS NOT NULL AND vector IS NOT NULL))
) {partitioning};

CREATE INDEX {long_term_pending} ON {long_term} (anchor_id, position) WHERE status <> 'derived';
-- In which order the events of one loop are read.
CREATE INDEX {events_by_loop} ON {events} (anchor_id, loop_id, position);
