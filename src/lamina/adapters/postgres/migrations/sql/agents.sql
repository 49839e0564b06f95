-- Which agents have events, by persona: for maintenance, which binds itself to each in turn. Whoever logs an event adds
-- to it and reads nothing. One persona's row is not the other's, so that neither ever waits for the other.
CREATE TABLE {agents} (
    persona text NOT NULL,
    anchor_id uuid NOT NULL,
    {anchor_columns},
    CONSTRAINT {agents_pkey} PRIMARY KEY (anchor_id, persona)
);

CREATE FUNCTION {list_agent}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO {agents} (persona, anchor_id, {anchor_names}) VALUES (TG_ARGV[0], {bound_anchor})
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

ALTER TABLE {agents} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {agents} FORCE ROW LEVEL SECURITY;
CREATE POLICY {anchor_only} ON {agents} FOR INSERT WITH CHECK ({new_anchor_is_bound});
CREATE POLICY {maintenance} ON {agents} FOR SELECT TO CURRENT_USER
    USING (current_setting({task_setting}, true) = 'all_agents');

CREATE FUNCTION {all_agents}() RETURNS SETOF {agents}
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM set_config({task_setting}, 'all_agents', true);
    RETURN QUERY SELECT * FROM {agents};
    PERFORM set_config({task_setting}, '', true);
END
$$;
REVOKE ALL ON FUNCTION {all_agents}() FROM PUBLIC;
