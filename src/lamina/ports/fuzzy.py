"""How alike two texts are, whatever the order of their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Fuzzy(Protocol):
    """Compares one text with many."""

    def token_set_ratios(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """RapidFuzz's token_set_ratio of the query and each text, from 0 to 100. The texts are normalized already."""
        ...
