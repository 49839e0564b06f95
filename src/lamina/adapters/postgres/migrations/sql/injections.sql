-- Which memories were put into the prompts of a session: a trail, which stays when the session ends. Transient memories go
-- with their scope, so no foreign key holds them here.
CREATE TABLE {injections} (
    anchor_id uuid NOT NULL,
    session_id uuid NOT NULL,
    injected_at timestamptz NOT NULL,
    memory_id uuid NOT NULL,
    CONSTRAINT {injections_pkey} PRIMARY KEY (anchor_id, session_id, injected_at, memory_id)
);
