-- Whoever has an event is listed.
CREATE TRIGGER {listed} AFTER INSERT ON {events}
    FOR EACH STATEMENT EXECUTE FUNCTION {list_agent}({persona});
