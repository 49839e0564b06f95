-- One hash partition by anchor. Nobody is granted anything on it: rows are reached through the whole table.
CREATE TABLE {partition} PARTITION OF {table} FOR VALUES WITH (MODULUS {partitions}, REMAINDER {remainder});
ALTER TABLE {partition} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {partition} FORCE ROW LEVEL SECURITY;
