-- Which agents have events: maintenance works on each in turn.
CREATE TABLE $schema.${prefix}_agents (
    anchor_id UUID NOT NULL,
    $anchor_columns,
    PRIMARY KEY (anchor_id)
);
