-- What a record that is kept refers to stays with it.
CREATE FUNCTION {refuse_unreferring}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF EXISTS (
        SELECT FROM {memory} AS memory
        WHERE memory.anchor_id = OLD.anchor_id AND memory.id = OLD.memory_id
            AND {is_kept}(memory.anchor_id, memory.id, memory.tier)
    ) THEN
        RAISE EXCEPTION 'record % is kept for good, and so is what it refers to', OLD.memory_id
            USING ERRCODE = '23001', SCHEMA = {schema_name}, TABLE = {memory_name}, CONSTRAINT = {durable_name};
    END IF;
    RETURN OLD;
END
$$;

CREATE TRIGGER {durable} BEFORE DELETE ON {rule_refs}
    FOR EACH ROW EXECUTE FUNCTION {refuse_unreferring}();
