-- D3: a partial HNSW index per (tier, typology) cell, over the rows that maintenance has marked, for one model.
CREATE INDEX {concurrently} {near_index} ON {embeddings_table}
    USING hnsw ((vector::{sized_vector}) {cosine_ops})
    WHERE indexed AND cell = {cell} AND model = {model};
