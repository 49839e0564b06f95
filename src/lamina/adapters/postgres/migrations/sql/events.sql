-- What happened to one persona, as it happened: one table for each, so that a role can be kept from one of them.
-- Kinds are texts and not enums: equality of enums is not leakproof, so that under row security no index is searched by
-- them. Metadata is the JSON text that was hashed: jsonb would write numbers and keys its own way. Hashes are written
-- out in hexadecimal digits.
CREATE TABLE {events} (
    anchor_id uuid NOT NULL,
    position integer NOT NULL,
    id uuid NOT NULL,
    ts timestamptz NOT NULL,
    loop_id uuid NOT NULL,
    kind text NOT NULL,
    visibility text NOT NULL,
    content text NOT NULL,
    metadata text NOT NULL,
    previous text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT {events_pkey} PRIMARY KEY (anchor_id, position),
    CONSTRAINT {events_ids} UNIQUE (anchor_id, id),
    CONSTRAINT {events_positions} CHECK (position >= 0),
    CONSTRAINT {events_kinds} CHECK (kind IN ({event_kinds})),
    CONSTRAINT {events_visibilities} CHECK (visibility IN ({event_visibilities})),
    CONSTRAINT {events_contents} CHECK (char_length(content) <= {longest_content}),
    CONSTRAINT {events_hashes} CHECK (previous ~ '^[0-9a-f]{{64}}$' AND hash ~ '^[0-9a-f]{{64}}$')
) {partitioning};

-- In the order in which a range of time is read, page by page.
CREATE INDEX {events_by_time} ON {events} (anchor_id, ts, position);
