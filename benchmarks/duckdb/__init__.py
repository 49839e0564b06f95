"""What the DuckDB benchmark is made of."""
