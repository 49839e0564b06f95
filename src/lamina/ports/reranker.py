"""Ordering the best anew, by reading them beside the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """A model that reads a query and a text together. It is asked outside any transaction."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """For each text how well it answers, higher is better; each a finite number."""
        ...
