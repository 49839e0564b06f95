-- Maintenance moves fresh rows into the HNSW indexes, a batch at a time, of whatever anchor. It runs as the owner,
-- who sees other anchors' embeddings while this function runs, or while re-embedding, and at no other time.
CREATE POLICY {maintenance} ON {embeddings} TO CURRENT_USER
    USING (current_setting({task_setting}, true) IN ('mark_indexed', 'reembed'));
CREATE POLICY {maintenance} ON {memory} TO CURRENT_USER
    USING (current_setting({task_setting}, true) = 'reembed') WITH CHECK (false);

CREATE FUNCTION {mark_indexed}(batch integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Fresh rows are found by their partial index, however many there were when the table was last analyzed.
SET enable_seqscan = off
AS $$
DECLARE
    marked integer;
BEGIN
    PERFORM set_config({task_setting}, 'mark_indexed', true);
    WITH fresh AS (
        SELECT anchor_id, id, model FROM {embeddings} WHERE NOT indexed LIMIT batch FOR UPDATE SKIP LOCKED
    )
    UPDATE {embeddings} AS embedding SET indexed = true FROM fresh
    WHERE embedding.anchor_id = fresh.anchor_id AND embedding.id = fresh.id AND embedding.model = fresh.model;
    GET DIAGNOSTICS marked = ROW_COUNT;
    PERFORM set_config({task_setting}, '', true);
    RETURN marked;
END
$$;
REVOKE ALL ON FUNCTION {mark_indexed}(integer) FROM PUBLIC;
