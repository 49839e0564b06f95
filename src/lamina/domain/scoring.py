"""What a signal's score adds to a candidate's (P5). Scores come as columns, and go as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen
from lamina.domain.policies.policy import OneOf, Worded

if TYPE_CHECKING:
    from lamina.domain.outline import Column


@runtime_checkable
class Scoring(Worded, Protocol):
    """Turns what one signal said into what it adds. Never more for a worse score."""

    @property
    def most(self) -> float:
        """What the best of a signal adds."""
        ...

    def additions(self, scores: Column, weight: float) -> Column:
        """For each score a number from 0 to `most`, times the weight of the signal."""
        ...

    def shares(self, shares: Column, weight: float) -> Column:
        """The same of scores that are shares, from nothing to all of it, each of one thing or of several."""
        ...

    def told(self, added: Column, telling: Column) -> Column:
        """What is left of what is added, if only a share of each counts."""
        ...


class ReciprocalRank(Frozen):
    """Reciprocal Rank Fusion: what counts is the rank, so signals of any scale go together."""

    kind: Literal["rrf"] = "rrf"
    k: Annotated[int, Field(ge=0)] = 60

    @property
    def words(self) -> str:
        return f"RRF k={self.k}"

    @property
    def most(self) -> float:
        return 1 / (self.k + 1)

    def additions(self, scores: Column, weight: float) -> Column:
        """1 / (k + rank). Equal scores share a rank, so that no order of arrival leaks in."""
        ascending = scores.copy()
        ascending.sort()
        ranks = len(ascending) - ascending.searchsorted(scores, side="right") + 1
        return weight / (float(self.k) + ranks)

    def shares(self, shares: Column, weight: float) -> Column:
        """By their ranks, like any other."""
        return self.additions(shares, weight)

    def told(self, added: Column, telling: Column) -> Column:  # noqa: ARG002
        """All of it: half of the first rank would be less than the last."""
        return added


class Stretch(NamedTuple):
    """The range that scores have."""

    worst: float
    best: float

    @classmethod
    def over(cls, scores: Column) -> Stretch:
        """Of some scores; of none, it is nothing."""
        return cls(scores.min(), scores.max()) if len(scores) else cls(0.0, 0.0)

    def additions(self, scores: Column, weight: float) -> Column:
        """What they add: the share of the way from the worst to the best; all the best, if all are equal."""
        return self.beside(scores, weight) if self.best > self.worst else scores * 0.0 + weight

    def beside(self, others: Column, weight: float) -> Column:
        """What others add where these are stretched: less than nothing for what is below the worst of them."""
        worst, best = self
        # Where all are equal they all are the best, and the range begins at nothing.
        added: Column = weight * ((others - worst) / (best - worst) if best > worst else others / (best or 1.0))
        return added


class WeightedScore(Frozen):
    """Scores stretched to the range from 0 to 1, so that signals of different scales can be added."""

    words: ClassVar[str] = "weighted score"
    most: ClassVar[float] = 1.0
    kind: Literal["weighted-score"] = "weighted-score"

    def additions(self, scores: Column, weight: float) -> Column:
        """The share of the way from the worst to the best; all the best, if all are equal."""
        return Stretch.over(scores).additions(scores, weight)

    def shares(self, shares: Column, weight: float) -> Column:
        """As they are: they are of one range already, and who has half of it should not count as who has nothing."""
        return weight * shares

    def told(self, added: Column, telling: Column) -> Column:
        """That share."""
        return added * telling


AnyScoring = Annotated[Scoring, OneOf(ReciprocalRank, WeightedScore)]
