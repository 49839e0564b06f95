"""Ranking (P5): what the signals found, what neighbours lend, what labels say and what time has done, as one order.

A candidate is known by its place among the outlines: a whole number is told from another faster than an id is.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.fusion import TEXT, Contribution, Fusion, Reasons, Said, checked
from lamina.domain.ids import MemoryId
from lamina.domain.neighbourhood import asking, borrowed
from lamina.domain.numbers import checked_number
from lamina.domain.order import OrderKey, order_key
from lamina.domain.outline import Column, Outline, Outlines
from lamina.domain.periods import within
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scoring import WeightedScore
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

_TIERS: Final = tuple(Tier)
UNHEARD: Final = Said(np.empty(0, dtype=np.intp), np.empty(0))
STRETCHED: Final = WeightedScore()
ASKED: Final = 0.5
"""How much less a text counts where it asks and does not tell: half, so that a question is still found by its words."""


class Ranked(NamedTuple):
    """One candidate: its score is what the signals added, times what time and its tier make of that."""

    place: int
    id: MemoryId
    score: float
    decay: float
    confirmations: int
    confirmed_at: int | None
    reasons: Reasons

    @property
    def why(self) -> dict[Signal, Contribution]:
        """What each signal said of it."""
        return self.reasons.of(self.place)


class Ranking:
    """Candidates in order. A candidate that no signal speaks of has the score 0, and is still one."""

    def __init__(self, drawn: Drawn, search: Search, model: RetrievalModel, decay: Column) -> None:
        """`decay` is what time has done to each."""
        if not isfinite(decay.dot(decay)):
            for place, weight in enumerate(decay.tolist()):
                checked_number(weight, f"decay of candidate {place}")
        # Who asks for labels asks for whatever has them, questions too.
        asks = np.zeros(len(drawn.outlines)) if search.finding else asking(drawn.outlines)
        said = heard(drawn, search, model, asks)
        self._fusion = Fusion(said, len(drawn.outlines), model.signals, model.scoring, 1 - ASKED * asks)
        self._outlines = drawn.outlines
        self._decay = decay
        # A spec that does not listen to time is not pressed by it either.
        pressed = self._fusion.scores * decay if Signal.TIME in model.signals else self._fusion.scores
        tiers = [model.tiers.get(tier, 0.0) for tier in _TIERS]
        same = len(set(tiers)) == 1
        self._scores = pressed * (tiers[0] if same else np.array(tiers)[drawn.outlines.cells // len(Typology)])

    def best(self, limit: int) -> list[Ranked]:
        """The best in the one total order, each with its reasons."""
        scores, first = self._scores, max(len(self._scores) - limit, 0)
        # Only what has a score that comes so far is looked at as a whole.
        reached = (scores >= np.partition(scores, first)[first]).nonzero()[0] if len(scores) else np.arange(0)
        outlines = self._outlines.at(reached)
        columns = (scores[reached].tolist(), self._decay[reached].tolist(), reached.tolist())
        told = sorted(zip(outlines, *columns, strict=True), key=_order)[:limit]
        reasons = Reasons(self._fusion, [place for *_, place in told])
        return [
            Ranked(place, one.id, score, decay, one.confirmations, one.confirmed_at, reasons)
            for one, score, decay, place in told
        ]


def _order(told: tuple[Outline, float, float, int]) -> OrderKey:
    one, score, *_ = told
    return order_key(score, one.valid_at, one.recorded_at, one.id)


def heard(drawn: Drawn, search: Search, model: RetrievalModel, asks: Column) -> dict[Signal, Said]:
    """All that the signals say: what was found, the labels, what neighbours lend, and what became true when."""
    outlines = drawn.outlines
    semantic = drawn.found.get(Signal.SEMANTIC, UNHEARD)
    labels = _labels(outlines, search)
    (labelled,) = labels.nonzero()
    said = {
        Signal.LEXICAL: drawn.found.get(Signal.LEXICAL, UNHEARD),
        # A cosine differs in its last bits from store to store.
        Signal.SEMANTIC: Said(semantic.places, np.asarray(semantic.scores, dtype=np.float64).round(6)),
        Signal.TAGS: Said(labelled, labels[labelled]),
        Signal.TIME: Said(np.arange(len(outlines)), outlines.valid_at / 1_000_000),
    }
    if model.signals.get(Signal.NEIGHBOURHOOD):
        said[Signal.NEIGHBOURHOOD] = borrowed(outlines, _evidence(said, len(outlines), model), asks)
    return {signal: scores for signal, scores in said.items() if signal in model.signals}


def _labels(outlines: Outlines, search: Search) -> Column:
    """The share that each has of the labels asked for, and of the times that the query names."""
    if not search.periods:
        return outlines.labels
    share: Column = outlines.labels + within(search.periods, outlines.valid_at) / len(search.periods)
    return share


def _evidence(said: Mapping[Signal, Said], count: int, model: RetrievalModel) -> Column:
    """How well each answers by its own text. Not by its rank: the tenth of ten has nothing to lend."""
    evidence = np.zeros(count)
    for signal in TEXT:
        places, scores = checked(signal, said[signal])
        evidence[places] += STRETCHED.additions(scores, model.signals.get(signal, 0.0) * model.scoring.most)
    return evidence
