-- The rules that memory may refer to and never copy, and the references to them (D6). Only for a spec that names a
-- canonical table; here Lamina keeps it itself.
CREATE SCHEMA IF NOT EXISTS $canonical_schema;
CREATE TABLE $canonical_schema.$canonical_table (
    $canonical_anchor_columns,
    $canonical_id UUID NOT NULL,
    $canonical_version VARCHAR NOT NULL,
    $canonical_body VARCHAR NOT NULL,
    PRIMARY KEY ($canonical_key)
);

CREATE TABLE $schema.${prefix}_rule_refs (
    anchor_id UUID NOT NULL,
    memory_id UUID NOT NULL,
    $anchor_columns,
    rule_id UUID NOT NULL,
    rule_version VARCHAR NOT NULL,
    PRIMARY KEY (anchor_id, memory_id, rule_id, rule_version),
    FOREIGN KEY (anchor_id, memory_id) REFERENCES $schema.${prefix}_memory (anchor_id, id)$rule_reference
);
