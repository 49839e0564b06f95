"""Fusing what the signals found into one ranking (P5). The order in which candidates arrive does not matter.

Candidates go by numbers, and what is known of them by columns: there are hundreds for each question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import isfinite
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.numbers import checked_number
from lamina.domain.outline import Column
from lamina.domain.scoring import Scoring, ranks
from lamina.domain.signals import Signal

TEXT: Final = (Signal.LEXICAL, Signal.SEMANTIC)
"""What is said of a text: that it answers, not that it has a label or an age."""


class Said(NamedTuple):
    """What one signal said of the candidates that it found, each once: higher is better."""

    places: Column | Sequence[int]
    scores: Column | Sequence[float]


class Contribution(NamedTuple):
    """What one signal said of one candidate, and what that added to its score."""

    rank: int
    score: float
    added: float


class Why(Mapping[Signal, Contribution]):
    """What each signal said of one candidate."""

    __slots__ = ("_number", "_reasons")

    def __init__(self, reasons: Reasons, number: int) -> None:
        self._reasons = reasons
        self._number = number

    def __getitem__(self, signal: Signal) -> Contribution:
        return self._reasons.told[self._number][signal]

    def __iter__(self) -> Iterator[Signal]:
        return iter(self._reasons.told[self._number])

    def __len__(self) -> int:
        return len(self._reasons.told[self._number])

    def __repr__(self) -> str:
        return repr(self._reasons.told[self._number])


class Reasons:
    """What each signal said of the best: most callers look at what was found, and few at why."""

    def __init__(self, fusion: Fusion, places: Sequence[int]) -> None:
        self._fusion = fusion
        self._places = places

    @cached_property
    def told(self) -> list[dict[Signal, Contribution]]:
        """For each of them."""
        return self._fusion.told(self._places)


class Fusion:
    """Every candidate's score: whoever is no worse in any signal never scores lower. What each signal said is told for
    those that are asked about."""

    def __init__(
        self,
        found: Mapping[Signal, Said],
        count: int,
        weights: Mapping[Signal, float],
        scoring: Scoring,
        telling: Column | None = None,
    ) -> None:
        """`telling` is what of each candidate's text counts; all of it, if it is not said."""
        self.scores = np.zeros(count)
        self._heard: dict[Signal, tuple[Column, Column, Column]] = {}
        # A fixed order of addition: float sums differ in the last bit otherwise, and ties would not be ties.
        for signal in sorted(found):
            places, scores = checked(signal, found[signal])
            added = np.asarray(_weighed(signal, scores, weights, scoring), dtype=np.float64)
            if telling is not None and signal in TEXT:
                added = added * telling[places]
            self.scores[places] += added
            self._heard[signal] = (places, scores, added)

    def why(self, places: Sequence[int]) -> list[Why]:
        """What each signal said of some candidates; worked out for all of them when it is first looked at."""
        reasons = Reasons(self, places)
        return [Why(reasons, number) for number in range(len(places))]

    def told(self, places: Sequence[int]) -> list[dict[Signal, Contribution]]:
        """What each signal said of some candidates; the additions make its score."""
        reasons: list[dict[Signal, Contribution]] = [{} for _ in places]
        for signal, (found, scores, added) in self._heard.items():
            where = np.full(len(self.scores), -1)
            where[found] = np.arange(len(found))
            at = where[np.asarray(places, dtype=np.intp)]
            spoken_of = np.flatnonzero(at >= 0)
            at = at[spoken_of]
            columns = (spoken_of, ranks(scores[at], scores), scores[at], added[at])
            for number, *said in zip(*(column.tolist() for column in columns), strict=True):
                reasons[number][signal] = Contribution(*said)
        return reasons


def _weighed(signal: Signal, scores: Column, weights: Mapping[Signal, float], scoring: Scoring) -> Column:
    weight = checked_number(weights.get(signal, 0.0), f"weight of {signal}", at_least=0)
    if signal is Signal.NEIGHBOURHOOD:
        # It is made of what the others add, so it is neither ranked nor stretched: little that is lent stays little.
        return weight * np.maximum(scores, 0.0)
    if signal is Signal.TAGS:
        return scoring.shares(np.maximum(scores, 0.0), weight)
    return scoring.additions(scores, weight)


def checked(signal: Signal, said: Said) -> tuple[Column, Column]:
    """The places and the scores as columns, if they are numbers."""
    places, scores = np.asarray(said.places, dtype=np.intp), np.asarray(said.scores, dtype=np.float64)
    # A sum is as finite as its parts.
    if not isfinite(scores.sum()):
        for place, score in zip(places.tolist(), scores.tolist(), strict=True):
            checked_number(score, f"{signal} score of candidate {place}")
    return places, scores
