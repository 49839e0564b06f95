"""Contradictions are first-class: a signal that a rule may want revision, with a status of its own (D7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from lamina.domain.errors import ImpossibleState
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.instants import checked_instant
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.text import checked_text


class ContradictionStatus(StrEnum):
    """How far it has come."""

    OPEN = "open"
    DISMISSED = "dismissed"
    SURFACED_TO_OPERATOR = "surfaced_to_operator"
    PROMOTED_TO_REVISION_SIGNAL = "promoted_to_revision_signal"


_S = ContradictionStatus
NEXT: Final = {
    _S.OPEN: {_S.DISMISSED, _S.SURFACED_TO_OPERATOR},
    _S.SURFACED_TO_OPERATOR: {_S.DISMISSED, _S.PROMOTED_TO_REVISION_SIGNAL},
    _S.DISMISSED: {_S.OPEN},
    _S.PROMOTED_TO_REVISION_SIGNAL: set[ContradictionStatus](),
}
"""A dismissal can be reopened; a revision signal has left our hands. An operator sees it before it becomes one."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """One step of its history."""

    status: ContradictionStatus
    at: datetime
    notes: str

    def __post_init__(self) -> None:
        checked_instant(self.at, "contradiction at")
        checked_text(self.notes, "contradiction notes", at_most=2_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A memory and the rule (or the other memory) that it does not fit with."""

    id: ContradictionId
    memory_id: MemoryId
    against: RuleRef | MemoryId
    """A rule in the version that was active, or another memory."""
    history: tuple[StatusChange, ...]
    world_version: str | None = None
    """The world model's version that was active when it was observed."""

    def __post_init__(self) -> None:
        if self.world_version is not None:
            checked_text(self.world_version, "world_version", at_most=100)
        if not self.history or self.history[0].status is not _S.OPEN:
            raise ImpossibleState(f"contradiction {self.id}", "does not begin open", "start its history with 'open'")

    @property
    def observed_at(self) -> datetime:
        """When it was noticed."""
        return self.history[0].at

    @property
    def sides(self) -> tuple[MemoryId, ...]:
        """The memories that it is about."""
        return (self.memory_id,) if isinstance(self.against, RuleRef) else (self.memory_id, self.against)

    @property
    def status(self) -> ContradictionStatus:
        """Where it is now."""
        return self.history[-1].status

    def move(self, status: ContradictionStatus, at: datetime, notes: str) -> Contradiction | Refusal:
        """The contradiction one step on, or why it may not take that step."""
        if status not in NEXT[self.status]:
            allowed = ", ".join(sorted(NEXT[self.status])) or "nothing: it is a revision signal now"
            return Refusal("contradiction-status", f"{self.status} leads to {allowed}, not to {status}")
        return replace(self, history=(*self.history, StatusChange(status, at, notes)))


def by_side(contradictions: Iterable[Contradiction]) -> dict[MemoryId, list[Contradiction]]:
    """Those that each memory is a side of, in the order in which they come."""
    found: dict[MemoryId, list[Contradiction]] = {}
    for one in contradictions:
        for side in dict.fromkeys(one.sides):
            found.setdefault(side, []).append(one)
    return found
