"""The schema, step by step. Each revision runs files of `sql/`, filled in with the spec's names."""
