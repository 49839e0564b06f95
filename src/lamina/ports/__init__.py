"""The ports: what the core asks of the outside, one small Protocol a file. The docstring is the contract."""
