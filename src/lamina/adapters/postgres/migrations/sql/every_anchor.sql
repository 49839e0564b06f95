-- Maintenance goes from anchor to anchor, and works on each in a transaction that is bound to it. Only a role that the
-- owner lets maintain all of them may ask which there are.
CREATE POLICY {maintenance} ON {anchors} FOR SELECT TO CURRENT_USER
    USING (current_setting({task_setting}, true) = 'every_anchor');

CREATE FUNCTION {every_anchor}(after uuid, most integer) RETURNS SETOF {anchors}
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM set_config({task_setting}, 'every_anchor', true);
    RETURN QUERY SELECT * FROM {anchors} AS one
        WHERE after IS NULL OR one.anchor_id > after ORDER BY one.anchor_id LIMIT most;
    PERFORM set_config({task_setting}, '', true);
END
$$;
REVOKE ALL ON FUNCTION {every_anchor}(uuid, integer) FROM PUBLIC;
