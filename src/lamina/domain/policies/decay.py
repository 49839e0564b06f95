"""P7, time decay: what pressure time puts on a stored memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen, Period
from lamina.domain.instants import elapsed, spoken
from lamina.domain.policies.policy import OneOf, Worded


@dataclass(frozen=True, slots=True)
class Standing:
    """All that decay looks at: since when, last confirmed when, and whether it came to an outcome."""

    recorded_at: datetime
    confirmed_at: datetime | None = None
    disposed: bool = False


@runtime_checkable
class DecayModel(Worded, Protocol):
    """Answers how much a record weighs in retrieval, where 1 is a record that time has not touched."""

    def weight(self, standing: Standing, now: datetime) -> float:
        """A finite factor, never negative."""
        ...


class ForcingFunction(Frozen):
    """Episodic, persistent: the weight rises with age, so that an entry is evaluated again and does not fade away.

    It rises from 1 towards `ceiling`, half of the way in each `half_way`, until the entry is disposed of.
    """

    kind: Literal["forcing-function"] = "forcing-function"
    half_way: Period = timedelta(days=30)
    ceiling: Annotated[float, Field(gt=1)] = 2.0

    @property
    def words(self) -> str:
        return f"forcing-function: weight rises to {self.ceiling:g}, half of the way every {spoken(self.half_way)}"

    def weight(self, standing: Standing, now: datetime) -> float:
        """Rises with age while undisposed; 1 once disposed of."""
        if standing.disposed:
            return 1.0
        return self.ceiling - (self.ceiling - 1) * _halved(standing.recorded_at, now, self.half_way)


class ValidityWindow(Frozen):
    """Semantic: confidence that it is still so halves with every `half_life`; each confirmation starts it anew."""

    kind: Literal["validity-window"] = "validity-window"
    half_life: Period = timedelta(days=180)

    @property
    def words(self) -> str:
        return f"validity-window: confidence halves every {spoken(self.half_life)} since it was last confirmed"

    def weight(self, standing: Standing, now: datetime) -> float:
        """Falls with the time since it was recorded or last confirmed."""
        since = max(standing.recorded_at, standing.confirmed_at or standing.recorded_at)
        return _halved(since, now, self.half_life)


class DecayExempt(Frozen):
    """Procedural: durably true unless a contradicting write says otherwise."""

    words: ClassVar[str] = "exempt: time does nothing"
    kind: Literal["exempt"] = "exempt"

    def weight(self, standing: Standing, now: datetime) -> float:  # noqa: ARG002
        """Always 1."""
        return 1.0


def _halved(since: datetime, now: datetime, period: timedelta) -> float:
    return float(0.5 ** (elapsed(since, now) / period))


Decay = Annotated[DecayModel, OneOf(ForcingFunction, ValidityWindow, DecayExempt)]
