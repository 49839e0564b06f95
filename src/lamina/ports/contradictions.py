"""What does not fit together (D7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.contradiction import Contradiction, ContradictionStatus
from lamina.domain.errors import StaleRecord, UnknownRecord
from lamina.domain.ids import ContradictionId, MemoryId


def check_step(one: Contradiction, stored: Contradiction | None) -> None:
    """What every store refuses before it writes a step: one of a contradiction that is not there, or has moved on."""
    if stored is None:
        raise UnknownRecord(f"contradiction {one.id}", "is not there", "open it first, in this anchor")
    if stored.history != one.history[:-1]:
        raise StaleRecord(
            f"contradiction {one.id}", f"is {stored.status} by now", "read it again and decide on what it is now"
        )


class Contradictions(Protocol):
    """Keeps contradictions and every step of their history; only their status moves on.

    Writing raises `UnknownRecord` and `UnknownRule` for a side that is not there, and `DuplicateId` for an id that is
    taken.
    """

    def add(self, contradictions: Sequence[Contradiction]) -> None:
        """Writes new ones, all or none."""
        ...

    def move(self, one: Contradiction) -> None:
        """Writes the last step of its history; raises `StaleRecord` unless the stored history is all but that."""
        ...

    def get(self, contradiction_id: ContradictionId) -> Contradiction | None:
        """One of them, if it is there."""
        ...

    def of(self, memory_id: MemoryId) -> list[Contradiction]:
        """Those that a record is a side of, by when they were observed, then by id."""
        ...

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Contradiction]]:
        """Those that each record is a side of, if it is of any, in the same order: asked at once."""
        ...

    def with_status(self, status: ContradictionStatus, limit: int) -> list[Contradiction]:
        """Those that have come so far, by when they were observed, then by id."""
        ...
