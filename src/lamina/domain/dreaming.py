"""What maintenance has done: counts of everything, and the first examples of each, so that it stays small."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from lamina.domain.anchor import Anchor
from lamina.domain.outcome import Outcome

EXAMPLES = 20
"""How many of each kind are told one by one; all of them are in the log of decisions."""


class Done(StrEnum):
    """What became of a record."""

    MOVED_UP = "moved up"
    KNOWN = "known already"
    DROPPED = "dropped"
    ARCHIVED = "archived"
    INVALIDATED = "invalidated"
    EXEMPTED = "exempted"
    GRANTED = "granted"
    BECAME_FACT = "became a fact"
    WIDENED = "widened"
    DISPUTED = "disputed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Move:
    """One example: what became of which record, and why."""

    anchor: Anchor
    done: Done
    outcome: Outcome


@dataclass(slots=True)
class Dreamt:
    """The report of one run."""

    anchors: int = 0
    reviewed: int = 0
    sessions_closed: int = 0
    fading: int = 0
    """Facts that nobody has confirmed for more than a half-life: worth looking at again."""
    indexed: int = 0
    """Rows that were moved into the indexes."""
    entries: int = 0
    """Events whose long-term entry was derived."""
    summaries: int = 0
    """Loops whose summary was derived."""
    loops_closed: int = 0
    """Loops whose process had died."""
    left: list[str] = field(default_factory=list)
    """What could not be derived from the log yet, and why."""
    counts: Counter[Done] = field(default_factory=Counter)
    examples: list[Move] = field(default_factory=list)

    def note(self, anchor: Anchor, done: Done, outcome: Outcome) -> None:
        """One more."""
        if self.counts[done] < EXAMPLES:
            self.examples.append(Move(anchor, done, outcome))
        self.counts[done] += 1

    @property
    def changed(self) -> int:
        """How many records it did something with."""
        return self.counts.total()
