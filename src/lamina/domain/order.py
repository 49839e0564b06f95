"""The one total order of results: the same on every run and on every back end."""

from __future__ import annotations

from lamina.domain.ids import MemoryId
from lamina.domain.outline import Outline

OrderKey = tuple[float, int, int, MemoryId]


def order_key(score: float, outline: Outline) -> OrderKey:
    """Sorts the best first; among equals what became true last, then what was recorded last, then by id."""
    return -score, -outline.valid_at, -outline.recorded_at, outline.id
