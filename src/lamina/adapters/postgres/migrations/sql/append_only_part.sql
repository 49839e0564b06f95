-- Row triggers of the whole table are its partitions' too; one that refuses to empty it is not.
CREATE TRIGGER {append_only_whole} BEFORE TRUNCATE ON {partition}
    FOR EACH STATEMENT EXECUTE FUNCTION {refuse_change}();
