"""Ranking (P5): what the signals found, what neighbours lend, what labels say and what time has done, as one order.

A candidate is known by its place among the outlines: a whole number is told from another faster than an id is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Final

from lamina.domain.fusion import Contribution, Fusion, Scores, WeightedScore, fuse
from lamina.domain.neighbourhood import borrowed
from lamina.domain.order import order_key
from lamina.domain.outline import Outline
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.signals import Signal

TEXT: Final = (Signal.LEXICAL, Signal.SEMANTIC)
"""What neighbours lend of: that they answer, not that they have a label or an age."""
Found = Mapping[Signal, Scores[int]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate: its score is what the signals added, times what time and its tier make of that."""

    place: int
    outline: Outline
    score: float
    decay: float
    why: Mapping[Signal, Contribution]


class Ranking:
    """Candidates in order. A candidate that no signal speaks of has the score 0, and is still one."""

    def __init__(
        self, found: Found, outlines: Sequence[Outline], model: RetrievalModel, decay: Callable[[Outline], float]
    ) -> None:
        self._fusion: Fusion[int] = fuse(heard(found, outlines, model), model.signals, model.scoring)
        self._outlines = outlines
        self._decay = [decay(one) for one in outlines]
        # A spec that does not listen to time is not pressed by it either.
        pressing = Signal.TIME in model.signals
        added, tiers = self._fusion.scores, model.tiers
        self._scores = [
            added.get(place, 0.0) * (self._decay[place] if pressing else 1.0) * tiers.get(one.tier, 0.0)
            for place, one in enumerate(outlines)
        ]

    def best(self, limit: int) -> list[Ranked]:
        """The best in the one total order, each with its reasons."""
        outlines, scores = self._outlines, self._scores
        places = nsmallest(limit, range(len(outlines)), key=lambda place: order_key(scores[place], outlines[place]))
        return [
            Ranked(place, outlines[place], scores[place], self._decay[place], self._fusion.why(place))
            for place in places
        ]


def heard(found: Found, outlines: Sequence[Outline], model: RetrievalModel) -> dict[Signal, Scores[int]]:
    """All that the signals say: what was found, the labels, what neighbours lend, and what became true when."""
    # A cosine differs in its last bits from store to store.
    said: dict[Signal, Scores[int]] = {
        signal: {place: round(score, 6) for place, score in found.get(signal, {}).items()} for signal in TEXT
    }
    said[Signal.TAGS] = {place: one.labels for place, one in enumerate(outlines) if one.labels > 0}
    said[Signal.TIME] = {place: one.valid_at / 1_000_000 for place, one in enumerate(outlines)}
    if model.signals.get(Signal.NEIGHBOURHOOD):
        said[Signal.NEIGHBOURHOOD] = borrowed(outlines, _evidence(said, model))
    return {signal: scores for signal, scores in said.items() if signal in model.signals}


def _evidence(said: Found, model: RetrievalModel) -> dict[int, float]:
    """How well each answers by its own text. Not by its rank: the tenth of ten has nothing to lend."""
    text = fuse({signal: said[signal] for signal in TEXT}, model.signals, WeightedScore())
    return {place: score * model.scoring.most for place, score in text.scores.items()}
