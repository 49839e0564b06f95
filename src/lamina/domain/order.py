"""The one total order of results: the same on every run and on every back end."""

from __future__ import annotations

from lamina.domain.ids import MemoryId

OrderKey = tuple[float, int, int, MemoryId]


def order_key(score: float, valid_at: int, recorded_at: int, id_: MemoryId) -> OrderKey:
    """Sorts the best first; among equals what became true last, then what was recorded last, then by id."""
    return -score, -valid_at, -recorded_at, id_
