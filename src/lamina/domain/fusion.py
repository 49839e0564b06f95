"""Fusing what the signals found into one ranking (P5). The order in which candidates arrive does not matter.

Candidates go by numbers, and what is known of them by columns: there are hundreds for each question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.frozen import FrozenMap
from lamina.domain.numbers import checked_number
from lamina.domain.outline import Column
from lamina.domain.scoring import Scoring
from lamina.domain.signals import Signal


class Said(NamedTuple):
    """What one signal said of the candidates that it found, each once: higher is better."""

    places: Column | Sequence[int]
    scores: Column | Sequence[float]


class Heard(NamedTuple):
    """The same in columns, of what are numbers."""

    places: Column | slice
    scores: Column


EVERYONE: Final = slice(None)
"""The places of a signal that says something of all."""


class Contribution(NamedTuple):
    """What one signal said of one candidate, and what that added to its score."""

    rank: int
    score: float
    added: float


_NOTHING: Final = FrozenMap[Signal, Column]()


class Fusion:
    """Every candidate's score: whoever is no worse in any signal never scores lower. What each signal said is told for
    those that are asked about."""

    def __init__(  # noqa: PLR0913, PLR0917 (what is said, and how it counts)
        self,
        found: Mapping[Signal, Heard],
        count: int,
        weights: Mapping[Signal, float],
        scoring: Scoring,
        told: Mapping[Signal, Column] = _NOTHING,
        known: Mapping[Signal, Column] = _NOTHING,
    ) -> None:
        """`told` is the share that counts of what a signal adds to each candidate; all of it, if it is not said.
        `known` is what some add, where it was worked out before."""
        self._heard: list[tuple[Signal, Heard, Column]] = []
        self.scores: Column = np.zeros(count)
        # A fixed order of addition: float sums differ in the last bit otherwise, and ties would not be ties.
        for signal, heard in sorted(found.items()):
            places, scores = heard
            added = known[signal] if signal in known else _weighed(signal, scores, weights, scoring)
            if signal in told:
                added = scoring.told(added, told[signal][places])
            self.scores[places] += added
            self._heard.append((signal, heard, added))

    def why(self, places: Sequence[int]) -> list[dict[Signal, Contribution]]:
        """What each signal said of some candidates; the additions make its score."""
        reasons: list[dict[Signal, Contribution]] = [{} for _ in places]
        for signal, (whom, scores), added in self._heard:
            every = range(len(scores)) if isinstance(whom, slice) else whom.tolist()
            said = dict(zip(every, zip(scores.tolist(), added.tolist(), strict=True), strict=True))
            ascending = np.sort(scores)
            for reason, place in zip(reasons, places, strict=True):
                # That nobody lends it anything, nobody says.
                if place in said and (said[place][0] or signal is not Signal.NEIGHBOURHOOD):
                    score, more = said[place]
                    # Equal scores share a rank, so that no order of arrival leaks in.
                    rank = len(ascending) - int(ascending.searchsorted(score, side="right")) + 1
                    reason[signal] = Contribution(rank, score, more)
        return reasons


class Reasons:
    """Why some candidates were found: worked out for all of them when first asked, as most are never asked."""

    def __init__(self, fusion: Fusion, places: Sequence[int]) -> None:
        self._fusion = fusion
        self.places = places
        self._told: dict[int, dict[Signal, Contribution]] = {}

    def of(self, place: int) -> dict[Signal, Contribution]:
        """What each signal said of one of them."""
        if not self._told:
            self._told = dict(zip(self.places, self._fusion.why(self.places), strict=True))
        return self._told[place]


def _weighed(signal: Signal, scores: Column, weights: Mapping[Signal, float], scoring: Scoring) -> Column:
    weight = weights.get(signal, 0.0)
    if type(weight) is not float or not 0.0 <= weight < inf:
        checked_number(weight, f"weight of {signal}", at_least=0)
    if signal is Signal.NEIGHBOURHOOD:
        # It is made of what the others add, and has its weight in it: little that is lent stays little.
        return scores
    if signal is Signal.TAGS:
        return scoring.shares(scores, weight)
    return scoring.additions(scores, weight)


def checked(signal: Signal, said: Said) -> Heard:
    """The places and the scores as columns, if they are numbers."""
    places, scores = np.asarray(said.places, dtype=np.intp), np.asarray(said.scores, dtype=np.float64)
    # A sum is as finite as its parts, and squares do not make up for one another.
    if not isfinite(scores.dot(scores)):
        for place, score in zip(places.tolist(), scores.tolist(), strict=True):
            checked_number(score, f"{signal} score of candidate {place}")
    return Heard(places, scores)
