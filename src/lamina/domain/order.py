"""The one total order of results: the same on every run and on every back end."""

from __future__ import annotations

from datetime import timedelta

from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.numbers import checked_number
from lamina.domain.record import MemoryRecord

OrderKey = tuple[float, timedelta, timedelta, MemoryId]


def order_key(score: float, record: MemoryRecord) -> OrderKey:
    """Sorts the best first; among equals what became true last, then what was recorded last, then by id."""
    return (
        -checked_number(score, f"score of {record.id}"),
        EPOCH - record.validity.valid_at,
        EPOCH - record.recorded_at,
        record.id,
    )
