"""P7, time decay: what pressure time puts on a stored memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen, Period
from lamina.domain.instants import elapsed, spoken
from lamina.domain.policies.policy import OneOf, Worded

if TYPE_CHECKING:
    from lamina.domain.outline import Column

MICROSECOND: Final = timedelta(microseconds=1)


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


N = TypeVar("N", float, "Column")
WeighMany = Callable[["Column", "Column", "Column"], "Column"]
"""What a decay model may have as `weights`, to answer for many records at once: recall asks about hundreds for each
question. It is given age, unconfirmed and disposed of each, as `Standing` says, in whole microseconds."""


class Shipped(Frozen):
    """What the shipped models have in common: the rule is arithmetic, and says of one record what it says of many."""

    def weight(self, standing: Standing, now: datetime) -> float:  # noqa: ARG002 (the protocol's)
        """The weight of one record."""
        return self.weights(standing.age / MICROSECOND, standing.unconfirmed / MICROSECOND, standing.disposed)

    def weights(self, age: N, unconfirmed: N, disposed: N) -> N:
        """The weight of one record, or of each in the columns."""
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

    def weights(self, age: N, unconfirmed: N, disposed: N) -> N:  # noqa: ARG002
        """Rises with age while undisposed; 1 once disposed of."""
        risen = (self.ceiling - 1) * (1 - 0.5 ** (age / (self.half_way / MICROSECOND)))
        weight: N = 1 + (1 - disposed) * risen
        return weight


class ValidityWindow(Shipped):
    """Semantic: confidence that it is still so halves with every `half_life`; each confirmation starts it anew."""

    kind: Literal["validity-window"] = "validity-window"
    half_life: Period = timedelta(days=180)

    @property
    def words(self) -> str:
        return f"validity-window: confidence halves every {spoken(self.half_life)} since it was last confirmed"

    def weights(self, age: N, unconfirmed: N, disposed: N) -> N:  # noqa: ARG002
        """Falls with the time since it was recorded or last confirmed."""
        weight: N = 0.5 ** (unconfirmed / (self.half_life / MICROSECOND))
        return weight


class DecayExempt(Shipped):
    """Procedural: durably true unless a contradicting write says otherwise."""

    words: ClassVar[str] = "exempt: time does nothing"
    kind: Literal["exempt"] = "exempt"

    def weights(self, age: N, unconfirmed: N, disposed: N) -> N:  # noqa: ARG002
        """Always 1."""
        return 0.0 * age + 1.0


Decay = Annotated[DecayModel, OneOf(ForcingFunction, ValidityWindow, DecayExempt)]
