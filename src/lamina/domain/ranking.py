"""Ranking (P5): what the signals found, what neighbours lend, what labels say and what time has done, as one order.

A candidate is known by its place among the outlines: a whole number is told from another faster than an id is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from lamina.domain.fusion import Contribution, Fusion, Said, WeightedScore
from lamina.domain.neighbourhood import borrowed
from lamina.domain.order import order_key
from lamina.domain.outline import Outline
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.search import Drawn
from lamina.domain.signals import Signal
from lamina.domain.typology import CELLS

TEXT: Final = (Signal.LEXICAL, Signal.SEMANTIC)
"""What neighbours lend of: that they answer, not that they have a label or an age."""
UNHEARD: Final = Said((), ())


class Ranked(NamedTuple):
    """One candidate: its score is what the signals added, times what time and its tier make of that."""

    place: int
    outline: Outline
    score: float
    decay: float
    why: Mapping[Signal, Contribution]


class Ranking:
    """Candidates in order. A candidate that no signal speaks of has the score 0, and is still one."""

    def __init__(self, drawn: Drawn, model: RetrievalModel, decay: Sequence[float]) -> None:
        """`decay` is what time has done to each."""
        self._fusion = Fusion(heard(drawn, model), len(drawn.outlines), model.signals, model.scoring)
        self._outlines = drawn.outlines
        self._decay = decay
        # A spec that does not listen to time is not pressed by it either.
        pressing = decay if Signal.TIME in model.signals else [1.0] * len(decay)
        tiers = [model.tiers.get(cell.tier, 0.0) for cell in CELLS]
        each = zip(self._fusion.scores, pressing, drawn.outlines.cells, strict=True)
        self._scores = [added * weight * tiers[cell] for added, weight, cell in each]

    def best(self, limit: int) -> list[Ranked]:
        """The best in the one total order, each with its reasons."""
        scores, outlines = self._scores, self._outlines
        # Only what has a score that comes so far is looked at as a whole.
        least = min(sorted(scores, reverse=True)[:limit], default=0.0)
        reached = {place: outlines[place] for place, score in enumerate(scores) if score >= least}
        best = sorted(reached, key=lambda place: order_key(scores[place], reached[place]))[:limit]
        return [
            Ranked(place, reached[place], scores[place], self._decay[place], why)
            for place, why in zip(best, self._fusion.why(best), strict=True)
        ]


def heard(drawn: Drawn, model: RetrievalModel) -> dict[Signal, Said]:
    """All that the signals say: what was found, the labels, what neighbours lend, and what became true when."""
    outlines = drawn.outlines
    labelled = [place for place, share in enumerate(outlines.labels) if share > 0]
    semantic = drawn.found.get(Signal.SEMANTIC, UNHEARD)
    said = {
        Signal.LEXICAL: drawn.found.get(Signal.LEXICAL, UNHEARD),
        # A cosine differs in its last bits from store to store.
        Signal.SEMANTIC: Said(semantic.places, [round(score, 6) for score in semantic.scores]),
        Signal.TAGS: Said(labelled, [outlines.labels[place] for place in labelled]),
        Signal.TIME: Said(range(len(outlines)), [at / 1_000_000 for at in outlines.valid_at]),
    }
    if model.signals.get(Signal.NEIGHBOURHOOD):
        said[Signal.NEIGHBOURHOOD] = borrowed(outlines, _evidence(said, len(outlines), model))
    return {signal: scores for signal, scores in said.items() if signal in model.signals}


def _evidence(said: Mapping[Signal, Said], count: int, model: RetrievalModel) -> list[float]:
    """How well each answers by its own text. Not by its rank: the tenth of ten has nothing to lend."""
    text = Fusion({signal: said[signal] for signal in TEXT}, count, model.signals, WeightedScore())
    return [score * model.scoring.most for score in text.scores]
