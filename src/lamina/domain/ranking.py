"""Ranking (P5): what the signals found, what neighbours lend, what labels say and what time has done, as one order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from typing import Generic, TypeVar

from lamina.domain.fusion import Contribution, Fusion, Scores, WeightedScore, fuse
from lamina.domain.neighbourhood import borrowed
from lamina.domain.order import order_key
from lamina.domain.outline import Outline
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.signals import Signal

TEXT = (Signal.LEXICAL, Signal.SEMANTIC)
"""What neighbours lend of: that they answer, not that they have a label or an age."""
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ranked(Generic[K]):
    """One candidate: its score is what the signals added, times what time and its tier make of that."""

    key: K
    outline: Outline
    score: float
    decay: float
    why: Mapping[Signal, Contribution]


def heard(
    found: Mapping[Signal, Scores[K]], outlines: Mapping[K, Outline], model: RetrievalModel
) -> dict[Signal, Scores[K]]:
    """All that the signals say of some records: what was found, the labels, and what neighbours lend."""
    # A cosine differs in its last bits from store to store.
    said: dict[Signal, Scores[K]] = {
        signal: {key: round(score, 6) for key, score in found.get(signal, {}).items() if key in outlines}
        for signal in TEXT
    }
    said[Signal.TAGS] = {id_: one.labels for id_, one in outlines.items() if one.labels > 0}
    if model.signals.get(Signal.NEIGHBOURHOOD):
        said[Signal.NEIGHBOURHOOD] = borrowed(outlines, _evidence(said, model))
    return {signal: scores for signal, scores in said.items() if signal in model.signals}


def _evidence(said: Mapping[Signal, Scores[K]], model: RetrievalModel) -> Mapping[K, float]:
    """How well each answers by its own text. Not by its rank: the tenth of ten has nothing to lend."""
    text = fuse({signal: said[signal] for signal in TEXT}, model.signals, WeightedScore())
    return {id_: score * model.scoring.most for id_, score in text.scores.items()}


class Ranking(Generic[K]):
    """Candidates in order. A candidate that no signal speaks of has the score 0, and is still one."""

    def __init__(
        self,
        said: Mapping[Signal, Scores[K]],
        outlines: Mapping[K, Outline],
        model: RetrievalModel,
        decay: Callable[[Outline], float],
    ) -> None:
        self._fusion: Fusion[K] = fuse(_with_time(said, outlines, model), model.signals, model.scoring)
        self._outlines = outlines
        self._decay = {key: decay(one) for key, one in outlines.items()}
        # A spec that does not listen to time is not pressed by it either.
        pressing = Signal.TIME in model.signals
        added, tiers = self._fusion.scores, model.tiers
        self._scores = {
            key: added.get(key, 0.0) * (self._decay[key] if pressing else 1.0) * tiers.get(one.tier, 0.0)
            for key, one in outlines.items()
        }

    def best(self, limit: int) -> list[Ranked[K]]:
        """The best in the one total order, each with its reasons."""
        outlines, scores = self._outlines, self._scores
        foremost = nsmallest(limit, outlines, key=lambda key: order_key(scores[key], outlines[key]))
        return [Ranked(key, outlines[key], scores[key], self._decay[key], self._fusion.why(key)) for key in foremost]


def _with_time(
    said: Mapping[Signal, Scores[K]], outlines: Mapping[K, Outline], model: RetrievalModel
) -> Mapping[Signal, Scores[K]]:
    """What became true later is said to be so, in seconds since 1970."""
    if Signal.TIME not in model.signals:
        return said
    return {**said, Signal.TIME: {key: one.valid_at / 1_000_000 for key, one in outlines.items()}}
