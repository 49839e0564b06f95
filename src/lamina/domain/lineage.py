"""Following a record to what took its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lamina.domain.errors import CyclicSupersession
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.state import successor


def lineage(record: MemoryRecord, get: Callable[[MemoryId], MemoryRecord]) -> Iterator[MemoryRecord]:
    """The record, what took its place, what took that one's, and so on to the last."""
    seen: set[MemoryId] = set()
    while True:
        if record.id in seen:
            raise CyclicSupersession(
                f"record {record.id}",
                "comes after itself",
                "restore one record of the chain, and say which is right",
            )
        seen.add(record.id)
        yield record
        following = successor(record.state)
        if following is None:
            return
        record = get(following)
