"""Fusing what the signals found into one ranking (P5). The order in which candidates arrive does not matter.

Candidates go by numbers, and what is known of them by columns: there are hundreds for each question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Annotated, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen
from lamina.domain.numbers import checked_number
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.signals import Signal


class Said(NamedTuple):
    """What one signal said of the candidates that it found: higher is better."""

    places: Sequence[int]
    scores: Sequence[float]


class Contribution(NamedTuple):
    """What one signal said of one candidate, and what that added to its score."""

    rank: int
    score: float
    added: float


@runtime_checkable
class Scoring(Worded, Protocol):
    """Turns what one signal said into what it adds. Never more for a worse score."""

    @property
    def most(self) -> float:
        """What the best of a signal adds."""
        ...

    def additions(self, scores: Sequence[float], weight: float) -> list[float]:
        """For each score a number from 0 to `most`, times the weight of the signal."""
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

    def additions(self, scores: Sequence[float], weight: float) -> list[float]:
        """1 / (k + rank); equal scores share a rank."""
        ascending = sorted(scores)
        added = [weight / (self.k + rank) for rank in range(len(scores), 0, -1)]
        # Of equals the last has the best rank, and it is the one that stays.
        of_score = dict(zip(ascending, added, strict=True))
        return [of_score[score] for score in scores]


class WeightedScore(Frozen):
    """Scores stretched to the range from 0 to 1, so that signals of different scales can be added."""

    words: ClassVar[str] = "weighted score"
    most: ClassVar[float] = 1.0
    kind: Literal["weighted-score"] = "weighted-score"

    def additions(self, scores: Sequence[float], weight: float) -> list[float]:
        """The share of the way from the worst to the best; all the best, if all are equal."""
        worst, best = min(scores, default=0.0), max(scores, default=0.0)
        span = best - worst
        return [weight * ((score - worst) / span) for score in scores] if span else [weight] * len(scores)


AnyScoring = Annotated[Scoring, OneOf(ReciprocalRank, WeightedScore)]


class Fusion:
    """Every candidate's score: whoever is no worse in any signal never scores lower. What each signal said is told for
    those that are asked about."""

    def __init__(
        self, found: Mapping[Signal, Said], count: int, weights: Mapping[Signal, float], scoring: Scoring
    ) -> None:
        # A fixed order of addition: float sums differ in the last bit otherwise, and ties would not be ties.
        self._found = {signal: _checked(signal, found[signal]) for signal in sorted(found)}
        self._added = {signal: _weighed(signal, said, weights, scoring) for signal, said in self._found.items()}
        self.scores = [0.0] * count
        for signal, said in self._found.items():
            for place, added in zip(said.places, self._added[signal], strict=True):
                self.scores[place] += added

    def why(self, places: Sequence[int]) -> list[dict[Signal, Contribution]]:
        """What each signal said of some candidates; the additions make its score."""
        reasons: dict[int, dict[Signal, Contribution]] = {place: {} for place in places}
        for signal, said in self._found.items():
            ascending = sorted(said.scores)
            for place, score, added in zip(said.places, said.scores, self._added[signal], strict=True):
                if place in reasons:
                    # Equal scores share a rank, so that no order of arrival leaks in.
                    rank = len(ascending) - bisect_right(ascending, score) + 1
                    reasons[place][signal] = Contribution(rank, score, added)
        return list(reasons.values())


def _weighed(signal: Signal, said: Said, weights: Mapping[Signal, float], scoring: Scoring) -> list[float]:
    weight = checked_number(weights.get(signal, 0.0), f"weight of {signal}", at_least=0)
    if signal is Signal.NEIGHBOURHOOD:
        # It is made of what the others add, so it is neither ranked nor stretched: little that is lent stays little.
        return [weight * score if score > 0 else 0.0 for score in said.scores]
    return scoring.additions(said.scores, weight)


def _checked(signal: Signal, said: Said) -> Said:
    # A sum is as finite as its parts.
    if not isfinite(sum(said.scores)):
        for place, score in zip(*said, strict=True):
            checked_number(score, f"{signal} score of candidate {place}")
    return said
