"""The live claims of one subject and aspect stand one after another in time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from lamina.domain.record import MemoryRecord


def overlap(line: Iterable[MemoryRecord]) -> tuple[MemoryRecord, MemoryRecord] | None:
    """Two of these records that are valid at one time, if there are any. One that was never valid is in no way."""
    spans = [record for record in line if record.validity.valid_at != record.validity.invalid_at]
    spans.sort(key=lambda record: record.validity.valid_at)
    for earlier, later in pairwise(spans):
        if earlier.validity.covers(later.validity.valid_at):
            return earlier, later
    return None
