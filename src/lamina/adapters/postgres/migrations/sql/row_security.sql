-- P15: a backstop. Without the transaction's own setting there are no rows, for the owner of the table too.
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY {anchor_only} ON {table} USING ({anchor_is_bound}) WITH CHECK ({row_is_bound});
