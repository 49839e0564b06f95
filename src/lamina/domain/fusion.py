"""Fusing what the signals found into one ranking (P5). The order in which candidates arrive does not matter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, ClassVar, Generic, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import Field

from lamina.domain.frozen import Frozen
from lamina.domain.numbers import checked_number
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.signals import Signal

K = TypeVar("K", bound=Hashable)
"""What a candidate is known by: its id, or its id and its anchor where several are asked."""
Scores = Mapping[K, float]
"""What one signal found: higher is better. What it did not find is absent."""


@dataclass(frozen=True, slots=True)
class Contribution:
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

    def additions(self, scores: Scores[K]) -> Mapping[K, float]:
        """For each candidate, a number from 0 to `most`."""
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

    def additions(self, scores: Scores[K]) -> Mapping[K, float]:
        """1 / (k + rank); equal scores share a rank."""
        return {id_: 1 / (self.k + rank) for id_, rank in ranks(scores).items()}


class WeightedScore(Frozen):
    """Scores stretched to the range from 0 to 1, so that signals of different scales can be added."""

    words: ClassVar[str] = "weighted score"
    most: ClassVar[float] = 1.0
    kind: Literal["weighted-score"] = "weighted-score"

    def additions(self, scores: Scores[K]) -> Mapping[K, float]:
        """The share of the way from the worst to the best; all the best, if all are equal."""
        worst, best = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
        span = best - worst
        return {id_: (score - worst) / span if span else 1.0 for id_, score in scores.items()}


AnyScoring = Annotated[Scoring, OneOf(ReciprocalRank, WeightedScore)]


def ranks(scores: Scores[K]) -> dict[K, int]:
    """1 for the best; equal scores share a rank, so that no order of arrival leaks in."""
    ascending = sorted(-score for score in scores.values())
    return {id_: bisect_left(ascending, -score) + 1 for id_, score in scores.items()}


class Fusion(Generic[K]):
    """Every candidate's score. What each signal said of one is told for those that are asked about."""

    def __init__(self, found: Mapping[Signal, Scores[K]], weights: Mapping[Signal, float], scoring: Scoring) -> None:
        # A fixed order of addition: float sums differ in the last bit otherwise, and ties would not be ties.
        self._found = {signal: _checked(signal, found[signal]) for signal in sorted(found)}
        self.added = {
            signal: _weighed(signal, scores, weights, scoring) for signal, scores in self._found.items() if scores
        }
        self.scores: dict[K, float] = {}
        for additions in self.added.values():
            for id_, added in additions.items():
                self.scores[id_] = self.scores.get(id_, 0.0) + added
        self._ranks: dict[Signal, dict[K, int]] = {}

    def why(self, id_: K) -> dict[Signal, Contribution]:
        """What each signal said of one candidate; the additions make its score."""
        return {
            signal: Contribution(self._ranks_in(signal)[id_], scores[id_], self.added[signal][id_])
            for signal, scores in self._found.items()
            if id_ in scores
        }

    def _ranks_in(self, signal: Signal) -> dict[K, int]:
        if signal not in self._ranks:
            self._ranks[signal] = ranks(self._found[signal])
        return self._ranks[signal]


def fuse(found: Mapping[Signal, Scores[K]], weights: Mapping[Signal, float], scoring: Scoring) -> Fusion[K]:
    """Every candidate with its score. Whoever is no worse in any signal never scores lower."""
    return Fusion(found, weights, scoring)


def _weighed(signal: Signal, scores: Scores[K], weights: Mapping[Signal, float], scoring: Scoring) -> dict[K, float]:
    weight = checked_number(weights.get(signal, 0.0), f"weight of {signal}", at_least=0)
    if signal is Signal.NEIGHBOURHOOD:
        # It is made of what the others add, so it is neither ranked nor stretched: little that is lent stays little.
        return {id_: weight * max(score, 0.0) for id_, score in scores.items()}
    return {id_: weight * added for id_, added in scoring.additions(scores).items()}


def _checked(signal: Signal, scores: Scores[K]) -> Scores[K]:
    if not all(map(isfinite, scores.values())):
        for id_, score in scores.items():
            checked_number(score, f"{signal} score of {id_}")
    return scores
