-- Maintenance moves fresh rows into the HNSW indexes, a batch at a time, of whatever anchor. It runs as the owner,
-- who sees other anchors' embeddings while this function runs and at no other time.
CREATE POLICY {maintenance} ON {embeddings} TO CURRENT_USER
    USING (current_setting({task_setting}, true) = 'mark_indexed');

CREATE FUNCTION {mark_indexed}(batch integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    marked integer;
BEGIN
    PERFORM set_config({task_setting}, 'mark_indexed', true);
    WITH fresh AS (
        SELECT anchor_id, id FROM {embeddings} WHERE NOT indexed LIMIT batch FOR UPDATE SKIP LOCKED
    )
    UPDATE {embeddings} AS embedding SET indexed = true FROM fresh
    WHERE embedding.anchor_id = fresh.anchor_id AND embedding.id = fresh.id;
    GET DIAGNOSTICS marked = ROW_COUNT;
    PERFORM set_config({task_setting}, '', true);
    RETURN marked;
END
$$;
REVOKE ALL ON FUNCTION {mark_indexed}(integer) FROM PUBLIC;
