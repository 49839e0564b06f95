"""What recall answers with: a memory, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lamina.domain.fusion import Contribution
from lamina.domain.instants import EPOCH
from lamina.domain.policies.decay import MICROSECOND
from lamina.domain.ranking import Ranked
from lamina.domain.record import MemoryRecord, Origin
from lamina.domain.signals import Signal
from lamina.domain.state import Retired, Superseded
from lamina.domain.validity import Validity


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers."""

    record: MemoryRecord
    ranked: Ranked
    reranked: float | None = None
    """The reranker's score, if one has read it."""

    @property
    def score(self) -> float:
        """What the signals added, times what time and its tier make of that."""
        return self.ranked.score

    @property
    def decay(self) -> float:
        """What time has done to it, by the decay model of its cell: 1 is nothing."""
        return self.ranked.decay

    @property
    def confirmations(self) -> int:
        """How often it was confirmed."""
        return self.ranked.confirmations

    @property
    def confirmed_at(self) -> datetime | None:
        """When it was last confirmed."""
        at = self.ranked.confirmed_at
        return None if at is None else EPOCH + at * MICROSECOND

    @property
    def why(self) -> dict[Signal, Contribution]:
        """The rank and the score that each signal gave it, and what that added."""
        return self.ranked.why

    @property
    def validity(self) -> Validity:
        """Since when it is so, and until when."""
        return self.record.validity

    @property
    def origin(self) -> Origin | None:
        """Where it was first observed."""
        return self.record.origin

    def explain(self) -> str:
        """The same in words, for a person who asks why."""
        said = [
            f"{signal}: rank {one.rank}, score {self._score(signal, one.score)}, adds {one.added:.4g}"
            for signal, one in sorted(self.why.items())
        ]
        return "; ".join([f"score {self.score:.4g}", *said, *self._standing()])

    def _standing(self) -> list[str]:
        since = f"{self.validity.valid_at:%Y-%m-%d}"
        until = f" until {self.validity.invalid_at:%Y-%m-%d}" if self.validity.invalid_at else ""
        confirmed = f", last on {self.confirmed_at:%Y-%m-%d}" if self.confirmed_at else ""
        origin = f"observed in session {self.origin.session_id}" if self.origin else "not observed in a session"
        return [
            f"decay {self.decay:.4g}",
            f"confirmed {self.confirmations} times{confirmed}",
            f"{self.record.tier} {self.record.typology}, {origin}",
            f"so since {since}{until}",
            *self._retired(),
        ]

    def _retired(self) -> list[str]:
        state = self.record.state
        if not isinstance(state, Retired):
            return []
        reason = "" if isinstance(state, Superseded) else f": {state.reason}"
        return [f"{type(state).__name__.lower()} on {state.at:%Y-%m-%d}{reason}"]

    def _score(self, signal: Signal, score: float) -> str:
        """As a reader has it: of time it is a day."""
        return f"{self.validity.valid_at:%Y-%m-%d}" if signal is Signal.TIME else f"{score:.4g}"
