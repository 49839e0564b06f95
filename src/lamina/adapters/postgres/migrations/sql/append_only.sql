-- No row of this table is ever changed or removed.
CREATE TRIGGER {append_only} BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION {refuse_change}();
CREATE TRIGGER {append_only_whole} BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION {refuse_change}();
