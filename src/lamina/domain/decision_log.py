"""Every outcome is kept, written together with its effect: the chain that `history` reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lamina.domain.ids import DecisionId
from lamina.domain.instants import checked_instant
from lamina.domain.outcome import Outcome
from lamina.domain.text import checked_text


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """Which verb was called, when, and what came of it."""

    id: DecisionId
    verb: str
    at: datetime
    outcome: Outcome

    def __post_init__(self) -> None:
        checked_text(self.verb, "verb", at_most=40)
        checked_instant(self.at, "decided at")
