"""Short-term memory of one persona: a summary for each loop of its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from lamina.domain.derivation import Remainder
from lamina.domain.event import LoopId
from lamina.domain.loop_summary import LoopSummary


@dataclass(frozen=True, slots=True)
class Window:
    """The last summaries as columns, the newest first: fuzzy search compares all of them at once."""

    loop_ids: Sequence[LoopId]
    texts: Sequence[str]
    """Normalized."""
    last_seconds: Sequence[float]
    """When the last event of each happened, in seconds since 1970."""
    words: Sequence[tuple[str, str]]
    """The kind and the visibility of each."""


Stamp = tuple[int, int, int]
"""Of the last loops: how many there are, the sum of their last positions, and how many are summarised."""


class ShortTerm(Protocol):
    """Keeps one summary for each loop. A loop that went on is written over; one that was not, is not."""

    def claim(self, after: int, limit: int) -> list[LoopId]:
        """The next loops, by the position of their last event, after one: those whose summary is not derived, or does
        not cover their last event. Until this unit has ended nobody else is given them."""
        ...

    def put(self, summaries: Sequence[LoopSummary]) -> None:
        """Writes summaries, all or none; one that covers less than what is there, or is less done, is not taken."""
        ...

    def get(self, loop_ids: Iterable[LoopId]) -> dict[LoopId, LoopSummary]:
        """Those of the summaries that are there."""
        ...

    def stamp(self, limit: int) -> Stamp:
        """What changes whenever the window does: it costs little to ask for."""
        ...

    def window(self, limit: int) -> Window:
        """The summaries of the last loops, by their last event's position; of those, what is summarised."""
        ...

    def idle(self, since: datetime, limit: int) -> list[LoopId]:
        """The loops that are not over, and in which nothing has happened since: their summaries say so."""
        ...

    def remaining(self) -> list[Remainder]:
        """What is not summarised yet."""
        ...
