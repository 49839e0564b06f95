"""Canonical texts that are kept here: for tests, and for local work."""
