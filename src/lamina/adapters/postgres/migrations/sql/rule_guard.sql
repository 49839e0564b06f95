-- Both guards in one trigger: D8 first, then containment, each refusal by a constraint name of its own. Shorter bodies
-- are not compared.
CREATE FUNCTION {refuse_copy}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    met record;
BEGIN
    -- Row security looks at a new row only after this trigger: without this, what is refused here would tell one
    -- anchor about another anchor's rules.
    IF ({new_is_bound}) IS NOT TRUE THEN
        RAISE EXCEPTION 'the row is of another anchor than this transaction'
            USING ERRCODE = '42501', SCHEMA = {schema_name}, TABLE = {memory_name}, CONSTRAINT = {anchor_only_name};
    END IF;
    -- Preparing to compare takes longer than this: where there are no rules, a bulk write would pay for it row by row.
    IF NOT EXISTS (SELECT FROM {canonical} WHERE {canonical_is_bound}) THEN
        RETURN NEW;
    END IF;
    SELECT * INTO met FROM {copied_rule}(NEW.body_text);
    IF FOUND THEN
        RAISE EXCEPTION 'the body copies rule % version %', met.id, met.version
            USING ERRCODE = '23514', SCHEMA = {schema_name}, TABLE = {memory_name}, CONSTRAINT = {rule_shadow_name},
                DETAIL = json_build_object(
                    'memory_id', NEW.id, 'rule_id', met.id, 'version', met.version, 'similarity', met.similarity
                )::text;
    END IF;
    SELECT * INTO met FROM {most_held_rule}(NEW.body_text);
    IF FOUND THEN
        RAISE EXCEPTION 'the body holds much of rule % version %', met.id, met.version
            USING ERRCODE = '23514', SCHEMA = {schema_name}, TABLE = {memory_name},
                CONSTRAINT = {rule_shadow_held_name},
                DETAIL = json_build_object(
                    'memory_id', NEW.id, 'rule_id', met.id, 'version', met.version, 'share', met.share
                )::text;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER {rule_shadow} BEFORE INSERT OR UPDATE OF body_text ON {memory}
    FOR EACH ROW WHEN (char_length(NEW.body_text) >= 100) EXECUTE FUNCTION {refuse_copy}();
