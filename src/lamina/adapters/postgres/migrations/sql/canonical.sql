-- The rules themselves, where no other owner keeps them: for tests and for local work.
CREATE SCHEMA IF NOT EXISTS {canonical_schema};
CREATE TABLE IF NOT EXISTS {canonical} (
    {canonical_anchor_columns},
    {rule_id} uuid NOT NULL,
    {rule_version} text NOT NULL,
    {rule_body} text NOT NULL,
    CONSTRAINT {canonical_pkey} PRIMARY KEY ({canonical_key})
);
ALTER TABLE {canonical} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {canonical} FORCE ROW LEVEL SECURITY;
CREATE POLICY {anchor_only} ON {canonical} USING ({canonical_is_bound}) WITH CHECK ({canonical_is_bound});
-- The D8 trigger reads as the owner, and by an index: % is not leakproof, so that under a policy with a condition
-- it would read every rule of every anchor one by one. The trigger itself asks for the bound anchor only.
CREATE POLICY {owner_reads} ON {canonical} FOR SELECT TO CURRENT_USER USING (true);
