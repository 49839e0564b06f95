"""Specs as TOML files."""
