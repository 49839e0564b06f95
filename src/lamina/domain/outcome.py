"""What became of a write. Nothing is dropped silently: every write gives one of these, and it is stored (P10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lamina.domain.errors import ImpossibleState, Refused
from lamina.domain.ids import MemoryId
from lamina.domain.text import checked_text


class Decision(StrEnum):
    """The four decisions of conflict resolution, and the two ways of not writing."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    """Retired, never removed."""
    NOOP = "NOOP"
    HELD = "HELD"
    """Kept as a candidate until what it lacks arrives."""
    REFUSED = "REFUSED"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision, the records that it touched (what was written first), and the reason in words."""

    decision: Decision
    ids: tuple[MemoryId, ...]
    reason: str
    rule: str | None = None
    """The gate or criterion that held or refused it."""

    def __post_init__(self) -> None:
        checked_text(self.reason, "outcome reason", at_most=2_000)
        if not self.ids and self.decision is not Decision.REFUSED:
            raise ImpossibleState(f"{self.decision} outcome", "touches no record", "name the record that it is about")
        if self.stopped != (self.rule is not None):
            raise ImpossibleState(
                f"{self.decision} outcome",
                "lacks its rule" if self.stopped else "names a rule",
                "a held or refused write names the rule that stopped it, and no other does",
            )

    @property
    def stopped(self) -> bool:
        """Whether a rule kept it from taking effect."""
        return self.decision in (Decision.HELD, Decision.REFUSED)

    @property
    def id(self) -> MemoryId:
        """The record that it is about; a held write has one too, to be corroborated by."""
        return self.ids[0] if self.ids else self.require().id

    def require(self) -> Outcome:
        """The outcome itself, or the refusal as an exception."""
        if self.stopped:
            raise Refused(f"write ({self.rule})", f"was {self.decision.lower()}", self.reason)
        return self
