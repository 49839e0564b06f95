-- D11: the retrievable table. Only `indexed` ever changes: a row arrives unindexed, so that no write pays for an
-- insertion into HNSW; maintenance marks rows in batches, and the partial HNSW indexes cover marked rows only.
-- Tier and typology are one text here, such as persistent/semantic: equality of enums is not leakproof, so that under
-- row security no index is searched by them, while equality of text is.
-- The vector has no dimension of its own, and the model is part of the key: while one model replaces another, one
-- embedding has a vector of each.
CREATE TABLE {embeddings} (
    anchor_id uuid NOT NULL,
    id uuid NOT NULL,
    memory_id uuid NOT NULL,
    cell text NOT NULL,
    model text NOT NULL,
    dimension integer NOT NULL,
    vector {vector_type} NOT NULL,
    indexed boolean NOT NULL DEFAULT false,
    CONSTRAINT {embeddings_pkey} PRIMARY KEY (anchor_id, id, model),
    CONSTRAINT {embeddings_cell} CHECK (cell IN ({cells})),
    CONSTRAINT {embeddings_dimension} CHECK ({vector_dims}(vector) = dimension),
    CONSTRAINT {embeddings_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT
) {partitioning};

CREATE INDEX {embeddings_cells} ON {embeddings} (anchor_id, cell, model);
CREATE INDEX {embeddings_fresh} ON {embeddings} (anchor_id, cell) WHERE NOT indexed;
CREATE INDEX {embeddings_of_memory} ON {embeddings} (anchor_id, memory_id);
