-- Which memories were put into the prompts of a session: a trail, which stays when the session ends. Transient memories go
-- with their scope, so no foreign key holds them here.
CREATE TABLE $schema.${prefix}_injections (
    anchor_id UUID NOT NULL,
    session_id UUID NOT NULL,
    injected_at TIMESTAMPTZ NOT NULL,
    memory_id UUID NOT NULL,
    PRIMARY KEY (anchor_id, session_id, injected_at, memory_id)
);
