"""Memory in one DuckDB file, searched with numpy: for local work, one process at a time."""
