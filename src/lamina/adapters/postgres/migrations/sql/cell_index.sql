-- D3: a partial index per (tier, typology) cell keeps each class of memory lean to read.
CREATE INDEX {cell_index} ON {memory} (anchor_id, valid_at) WHERE tier = {cell_tier} AND typology = {cell_typology};
