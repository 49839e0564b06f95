-- D10: no hard DELETE of persistent memory or of anything that an action was justified by, and no rewriting of its
-- body; only an erasure blanks it. Transient memory without an action can be removed when its scope ends, unless it is
-- evidence for another record: a corroboration's source is no foreign key, so it is looked for here.
CREATE FUNCTION {is_kept}(row_anchor uuid, row_id uuid, row_tier {tier}) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT row_tier = 'persistent'
        OR EXISTS (SELECT FROM {action_links} AS link WHERE link.anchor_id = row_anchor AND link.memory_id = row_id)
$$;

CREATE FUNCTION {refuse_delete}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF {is_kept}(OLD.anchor_id, OLD.id, OLD.tier) OR {old_is_evidence} THEN
        RAISE EXCEPTION 'record % is kept for good', OLD.id
            USING ERRCODE = '23001', SCHEMA = {schema_name}, TABLE = {memory_name}, CONSTRAINT = {durable_name};
    END IF;
    RETURN OLD;
END
$$;

CREATE FUNCTION {refuse_rewrite}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW.tier <> OLD.tier
        OR (NEW.body_text <> OLD.body_text AND {is_kept}(OLD.anchor_id, OLD.id, OLD.tier)
            AND (NEW.body_text <> '' OR NEW.tombstoned_at IS NULL)) THEN
        RAISE EXCEPTION 'record % stays as it was written', OLD.id
            USING ERRCODE = '23001', SCHEMA = {schema_name}, TABLE = {memory_name}, CONSTRAINT = {durable_name};
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER {durable} BEFORE DELETE ON {memory}
    FOR EACH ROW EXECUTE FUNCTION {refuse_delete}();
CREATE TRIGGER {final_body} BEFORE UPDATE OF body_text, tier ON {memory}
    FOR EACH ROW EXECUTE FUNCTION {refuse_rewrite}();

-- What happened stays what happened: used by every append-only table.
CREATE FUNCTION {refuse_change}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = '23001', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = {append_only_name};
END
$$;
