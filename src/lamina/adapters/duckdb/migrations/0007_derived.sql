-- What is derived from the log, only for a spec with event memory: tables of their own for each persona. A pending entry
-- says what it waits for, how often it was tried and what was said last. The collection's name is data.
CREATE TABLE $schema.${prefix}_${persona}_ltm (
    anchor_id UUID NOT NULL,
    position INTEGER NOT NULL,
    id UUID NOT NULL,
    collection VARCHAR NOT NULL,
    loop_id UUID NOT NULL,
    ts TIMESTAMPTZ NOT NULL,
    kind VARCHAR NOT NULL,
    visibility VARCHAR NOT NULL,
    entry VARCHAR,
    status VARCHAR NOT NULL CHECK (status IN ($derivation_statuses)),
    attempts INTEGER NOT NULL,
    last_error VARCHAR,
    length INTEGER NOT NULL,
    terms VARCHAR NOT NULL,
    frequencies BLOB NOT NULL,
    model VARCHAR,
    vector BLOB,
    PRIMARY KEY (anchor_id, position),
    FOREIGN KEY (anchor_id, position) REFERENCES $schema.${prefix}_${persona}_events (anchor_id, position),
    CHECK (status <> 'derived' OR (entry IS NOT NULL AND vector IS NOT NULL))
);

CREATE TABLE $schema.${prefix}_${persona}_stm (
    anchor_id UUID NOT NULL,
    loop_id UUID NOT NULL,
    phase VARCHAR NOT NULL CHECK (phase IN ($loop_phases)),
    last_position INTEGER NOT NULL,
    last_ts TIMESTAMPTZ NOT NULL,
    kind VARCHAR NOT NULL,
    visibility VARCHAR NOT NULL,
    covers UUID[] NOT NULL,
    summary VARCHAR,
    normalized VARCHAR,
    status VARCHAR NOT NULL CHECK (status IN ($derivation_statuses)),
    attempts INTEGER NOT NULL,
    last_error VARCHAR,
    PRIMARY KEY (anchor_id, loop_id),
    CHECK (status <> 'derived' OR summary IS NOT NULL)
);
