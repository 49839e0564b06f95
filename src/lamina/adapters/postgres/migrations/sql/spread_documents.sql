-- Maintenance spreads fresh documents into postings, a batch at a time, of whatever anchor, as mark_indexed does.
CREATE POLICY {maintenance} ON {documents} TO CURRENT_USER
    USING (current_setting({task_setting}, true) = 'spread_documents');
CREATE POLICY {maintenance} ON {postings} FOR INSERT TO CURRENT_USER
    WITH CHECK (current_setting({task_setting}, true) = 'spread_documents');

CREATE FUNCTION {spread_documents}(batch integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Fresh rows are found by their partial index, however many there were when the table was last analyzed.
SET enable_seqscan = off
AS $$
DECLARE
    done integer;
BEGIN
    PERFORM set_config({task_setting}, 'spread_documents', true);
    WITH fresh AS (
        SELECT anchor_id, memory_id, valid_at, length, terms, frequencies FROM {documents}
        WHERE NOT spread LIMIT batch FOR UPDATE SKIP LOCKED
    ), marked AS (
        UPDATE {documents} AS document SET spread = true FROM fresh
        WHERE document.anchor_id = fresh.anchor_id AND document.memory_id = fresh.memory_id
        RETURNING true
    ), posted AS (
        -- In the order of the key, so that one page of it after another is filled.
        INSERT INTO {postings} (anchor_id, term, memory_id, valid_at, tf, length)
        SELECT fresh.anchor_id, one.term, fresh.memory_id, fresh.valid_at, one.tf, fresh.length
        FROM fresh CROSS JOIN LATERAL unnest(fresh.terms, fresh.frequencies) AS one (term, tf)
        ORDER BY 1, 2, 3
    )
    SELECT count(*) INTO done FROM marked;
    PERFORM set_config({task_setting}, '', true);
    RETURN done;
END
$$;
REVOKE ALL ON FUNCTION {spread_documents}(integer) FROM PUBLIC;
