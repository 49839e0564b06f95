-- A transaction of the actor's sees no row of this table, and writes none, whatever it asks for.
CREATE POLICY {persona_wall} ON {table} AS RESTRICTIVE
    USING (current_setting({persona_setting}, true) IS DISTINCT FROM 'actor')
    WITH CHECK (current_setting({persona_setting}, true) IS DISTINCT FROM 'actor');
