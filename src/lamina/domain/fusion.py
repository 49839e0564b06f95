"""Fusing what the signals found into one ranking (P5). The order in which candidates arrive does not matter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

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


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate's score, and why it has it."""

    score: float
    why: Mapping[Signal, Contribution]


@runtime_checkable
class Scoring(Worded, Protocol):
    """Turns what one signal said into what it adds. Never more for a worse score."""

    def additions(self, scores: Scores[K]) -> Mapping[K, float]:
        """For each candidate, a number from 0 to 1."""
        ...


class ReciprocalRank(Frozen):
    """Reciprocal Rank Fusion: what counts is the rank, so signals of any scale go together."""

    kind: Literal["rrf"] = "rrf"
    k: Annotated[int, Field(ge=0)] = 60

    @property
    def words(self) -> str:
        return f"RRF k={self.k}"

    def additions(self, scores: Scores[K]) -> Mapping[K, float]:
        """1 / (k + rank); equal scores share a rank."""
        return {id_: 1 / (self.k + rank) for id_, rank in ranks(scores).items()}


class WeightedScore(Frozen):
    """Scores stretched to the range from 0 to 1, so that signals of different scales can be added."""

    words: ClassVar[str] = "weighted score"
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


def fuse(found: Mapping[Signal, Scores[K]], weights: Mapping[Signal, float], scoring: Scoring) -> dict[K, Fused]:
    """Every candidate with its score. Whoever is no worse in any signal never scores lower."""
    why: dict[K, dict[Signal, Contribution]] = {}
    # A fixed order of addition: float sums differ in the last bit otherwise, and ties would not be ties.
    for signal in sorted(found):
        weight = checked_number(weights.get(signal, 0.0), f"weight of {signal}", at_least=0)
        scores = _checked(signal, found[signal])
        places, additions = ranks(scores), scoring.additions(scores)
        for id_, score in scores.items():
            why.setdefault(id_, {})[signal] = Contribution(places[id_], score, weight * additions[id_])
    return {id_: Fused(sum(one.added for one in said.values()), said) for id_, said in why.items()}


def _checked(signal: Signal, scores: Scores[K]) -> Scores[K]:
    for id_, score in scores.items():
        checked_number(score, f"{signal} score of {id_}")
    return scores
