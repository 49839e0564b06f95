"""Every outcome, beside its effect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId


class Decisions(Protocol):
    """Keeps decisions; none is ever changed or removed."""

    def add(self, entries: Sequence[DecisionEntry]) -> None:
        """Writes new ones, all or none."""
        ...

    def get(self, decision_id: DecisionId) -> DecisionEntry | None:
        """One of them, if it is there."""
        ...

    def touched_by(self, verb: str, ids: Iterable[MemoryId]) -> set[MemoryId]:
        """Those of the records that a decision of this verb has touched."""
        ...

    def about_any(self, ids: Iterable[MemoryId]) -> list[DecisionEntry]:
        """Those that touched any of the records, each once, oldest first."""
        ...

    def about(self, memory_id: MemoryId) -> list[DecisionEntry]:
        """Those that touched one record, oldest first."""
        ...
