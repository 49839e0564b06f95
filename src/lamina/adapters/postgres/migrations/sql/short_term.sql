-- Short-term memory of one persona: one summary for each loop of its log, and which long-term entries it covers.
CREATE TABLE {short_term} (
    anchor_id uuid NOT NULL,
    loop_id uuid NOT NULL,
    phase text NOT NULL,
    last_position integer NOT NULL,
    last_ts timestamptz NOT NULL,
    kind text NOT NULL,
    visibility text NOT NULL,
    covers uuid[] NOT NULL,
    summary text,
    normalized text,
    status text NOT NULL,
    attempts integer NOT NULL,
    last_error text,
    CONSTRAINT {short_term_pkey} PRIMARY KEY (anchor_id, loop_id),
    CONSTRAINT {short_term_phases} CHECK (phase IN ({loop_phases})),
    CONSTRAINT {short_term_statuses} CHECK (status IN ({derivation_statuses})),
    CONSTRAINT {short_term_whole} CHECK (status <> 'derived' OR summary IS NOT NULL)
) {partitioning};

-- The rolling window: the last loops first.
CREATE INDEX {short_term_window} ON {short_term} (anchor_id, last_position) INCLUDE (status);
CREATE INDEX {short_term_pending} ON {short_term} (anchor_id, loop_id) WHERE status <> 'derived';
CREATE INDEX {short_term_going_on} ON {short_term} (anchor_id, last_ts) WHERE phase IN ('new', 'open');
