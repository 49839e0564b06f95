"""Shipped to users: Hypothesis strategies, and what a third-party adapter is tested with."""
