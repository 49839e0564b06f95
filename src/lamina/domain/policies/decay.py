"""P7, time decay: what pressure time puts on a stored memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen, Period
from lamina.domain.instants import elapsed, spoken
from lamina.domain.policies.policy import OneOf, Worded

MICROSECOND: Final = timedelta(microseconds=1)
Ages = Sequence[int]
Confirmed = Sequence[int | None]


class Standing(NamedTuple):
    """All that decay looks at: how old it is, how long ago it was confirmed, and whether it came to an outcome."""

    age: timedelta
    confirmed: timedelta | None = None
    disposed: bool = False

    @classmethod
    def at(
        cls, now: datetime, recorded_at: datetime, confirmed_at: datetime | None = None, *, disposed: bool = False
    ) -> Standing:
        """The standing of what was recorded and confirmed then."""
        confirmed = None if confirmed_at is None else elapsed(confirmed_at, now)
        return cls(elapsed(recorded_at, now), confirmed, disposed)

    @property
    def unconfirmed(self) -> timedelta:
        """How long ago it was last known to be so: confirmed, or else recorded."""
        return self.age if self.confirmed is None else min(self.age, self.confirmed)


@runtime_checkable
class DecayModel(Worded, Protocol):
    """Answers how much a record weighs in retrieval, where 1 is a record that time has not touched."""

    def weight(self, standing: Standing, now: datetime) -> float:
        """A finite factor, never negative."""
        ...


@runtime_checkable
class WeighsMany(Protocol):
    """A decay model that answers for many records at once: recall asks about hundreds for each question."""

    def weights(self, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]) -> list[float]:
        """The weight of each, by its `Standing`, column by column and in whole microseconds."""
        ...


class Shipped(Frozen):
    """What the shipped models have in common: the rule is said for many, and one is many of one."""

    def weight(self, standing: Standing, now: datetime) -> float:  # noqa: ARG002 (the protocol's)
        """The weight of one record."""
        confirmed = None if standing.confirmed is None else standing.confirmed // MICROSECOND
        (weight,) = self.weights([standing.age // MICROSECOND], [confirmed], [standing.disposed])
        return weight

    def weights(self, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]) -> list[float]:
        """The weight of each."""
        raise NotImplementedError


class ForcingFunction(Shipped):
    """Episodic, persistent: the weight rises with age, so that an entry is evaluated again and does not fade away.

    It rises from 1 towards `ceiling`, half of the way in each `half_way`, until the entry is disposed of.
    """

    kind: Literal["forcing-function"] = "forcing-function"
    half_way: Period = timedelta(days=30)
    ceiling: Annotated[float, Field(gt=1)] = 2.0

    @property
    def words(self) -> str:
        return f"forcing-function: weight rises to {self.ceiling:g}, half of the way every {spoken(self.half_way)}"

    def weights(self, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]) -> list[float]:  # noqa: ARG002
        """Rises with age while undisposed; 1 once disposed of."""
        ceiling, room, period = self.ceiling, self.ceiling - 1, self.half_way / MICROSECOND
        return [
            1.0 if done else ceiling - room * 0.5 ** (age / period) for age, done in zip(ages, disposed, strict=True)
        ]


class ValidityWindow(Shipped):
    """Semantic: confidence that it is still so halves with every `half_life`; each confirmation starts it anew."""

    kind: Literal["validity-window"] = "validity-window"
    half_life: Period = timedelta(days=180)

    @property
    def words(self) -> str:
        return f"validity-window: confidence halves every {spoken(self.half_life)} since it was last confirmed"

    def weights(self, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]) -> list[float]:  # noqa: ARG002
        """Falls with the time since it was recorded or last confirmed."""
        period = self.half_life / MICROSECOND
        last = (age if at is None or age < at else at for age, at in zip(ages, confirmed, strict=True))
        return [0.5 ** (since / period) for since in last]


class DecayExempt(Shipped):
    """Procedural: durably true unless a contradicting write says otherwise."""

    words: ClassVar[str] = "exempt: time does nothing"
    kind: Literal["exempt"] = "exempt"

    def weights(self, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]) -> list[float]:  # noqa: ARG002
        """Always 1."""
        return [1.0] * len(ages)


Decay = Annotated[DecayModel, OneOf(ForcingFunction, ValidityWindow, DecayExempt)]
