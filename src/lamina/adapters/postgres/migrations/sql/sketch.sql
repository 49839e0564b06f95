-- What ranking looks at of a record, packed as it is sent: to pack it anew for each of the hundreds of records that a
-- recall looks at takes longer than to find them. The client reads it by the layout in sketches.py.
ALTER TABLE {memory} ADD COLUMN sketch bytea NOT NULL GENERATED ALWAYS AS (
    pg_catalog.uuid_send(id)
    || coalesce(pg_catalog.uuid_send(origin_session_id), '\x00000000000000000000000000000000'::bytea)
    || pg_catalog.timestamptz_send(valid_at)
    || pg_catalog.timestamptz_send(recorded_at)
    -- Where it was never observed, it has no position.
    || pg_catalog.int4send(CASE WHEN origin_session_id IS NULL THEN -1 ELSE coalesce(origin_position, -1) END)
    || pg_catalog.int4send(pg_catalog.char_length(body_text))
    -- How many characters at its end are a question, as neighbourhood.closing says.
    || pg_catalog.int4send(
        CASE WHEN pg_catalog.rtrim(body_text, E' \n') LIKE '%?'
            THEN pg_catalog.char_length(pg_catalog.substring(body_text, '[^.!]*$')) ELSE 0 END
    )
    || pg_catalog.int4send(version)
    -- The place of its cell among all of them.
    || pg_catalog.int2send((
        CASE tier WHEN 'interaction' THEN 0 WHEN 'session' THEN 3 ELSE 6 END
        + CASE typology WHEN 'episodic' THEN 0 WHEN 'semantic' THEN 1 ELSE 2 END
    )::smallint)
    -- Whether the forcing function has let go of it.
    || pg_catalog.boolsend(
        promoted_at IS NOT NULL OR exempted_at IS NOT NULL OR held_at IS NOT NULL OR archived_at IS NOT NULL
        OR invalidated_at IS NOT NULL OR superseded_at IS NOT NULL OR tombstoned_at IS NOT NULL
    )
) STORED;
