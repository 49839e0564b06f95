-- The perfect log, only for a spec with event memory: one table for each persona, so that they can be kept apart. This
-- file is filled in once for each.
-- Nothing here changes a row; what is changed outside, the chain of hashes shows. Metadata is the JSON text that was
-- hashed: a JSON type would write numbers and keys its own way.
-- There is no index on time: DuckDB searches none that has two columns, and skips blocks by their times without one.
CREATE TABLE $schema.${prefix}_${persona}_events (
    anchor_id UUID NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    id UUID NOT NULL,
    ts TIMESTAMPTZ NOT NULL,
    loop_id UUID NOT NULL,
    kind VARCHAR NOT NULL CHECK (kind IN ($event_kinds)),
    visibility VARCHAR NOT NULL CHECK (visibility IN ($event_visibilities)),
    content VARCHAR NOT NULL CHECK (length(content) <= $content_bound),
    metadata VARCHAR NOT NULL,
    previous VARCHAR NOT NULL CHECK (regexp_full_match(previous, '[0-9a-f]{64}')),
    hash VARCHAR NOT NULL CHECK (regexp_full_match(hash, '[0-9a-f]{64}')),
    PRIMARY KEY (anchor_id, position),
    UNIQUE (anchor_id, id)
);
