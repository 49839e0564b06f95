-- Which anchors have memory: for operators, who ask each in turn. Whoever writes memory adds to it and reads nothing.
CREATE TABLE {anchors} (
    anchor_id uuid NOT NULL,
    {anchor_columns},
    CONSTRAINT {anchors_pkey} PRIMARY KEY (anchor_id)
);
CREATE INDEX {anchors_by_key} ON {anchors} ({anchor_names});

CREATE FUNCTION {list_anchor}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO {anchors} (anchor_id, {anchor_names})
    SELECT DISTINCT anchor_id, {anchor_names} FROM written
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER {listed} AFTER INSERT ON {memory} REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION {list_anchor}();

-- Rows are seen only by a pattern that the transaction is bound to, and only a key that the spec lets a query cross may
-- be open in it: the settings alone cannot ask for more.
ALTER TABLE {anchors} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {anchors} FORCE ROW LEVEL SECURITY;
CREATE POLICY {anchor_only} ON {anchors} FOR INSERT WITH CHECK ({new_anchor_is_bound});
CREATE POLICY {across} ON {anchors} FOR SELECT USING ({fits_the_pattern});
