"""Ranking (P5): what the signals found, what neighbours lend, what labels say and what time has done, as one order.

A candidate is known by its place among the outlines: a whole number is told from another faster than an id is.
"""

from __future__ import annotations

from math import isfinite
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.answering import Evidence, evidence, lent, text_of, told
from lamina.domain.foremost import reached
from lamina.domain.fusion import EVERYONE, Contribution, Fusion, Heard, Reasons
from lamina.domain.ids import MemoryId
from lamina.domain.neighbourhood import Line
from lamina.domain.numbers import checked_number
from lamina.domain.order import order_key
from lamina.domain.outline import Column, Outlines
from lamina.domain.periods import within
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scoring import WeightedScore
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

_TIERS: Final = tuple(Tier)


class Ranked(NamedTuple):
    """One candidate: its score is what the signals added, times what time and its tier make of that."""

    place: int
    id: MemoryId
    score: float
    decay: float
    confirmations: int
    confirmed_at: int | None
    reasons: Reasons

    def __eq__(self, other: object) -> bool:
        """Where it stood among what was drawn is another matter."""
        return isinstance(other, Ranked) and self[1:-1] == other[1:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[1:-1])

    def __repr__(self) -> str:
        return f"Ranked(score={self.score:.4g}, decay={self.decay:.4g}, confirmations={self.confirmations})"

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
        outlines, said = drawn.outlines, evidence(drawn, search, model)
        line, text = Line(outlines.spots), text_of(outlines, search)
        near = lent(drawn.words, said, model, line, text)
        self._fusion = Fusion(
            heard(drawn, search, model, said, near),
            len(outlines),
            model.signals,
            model.scoring,
            told(outlines, search, line, text),
            said.stretched if type(model.scoring) is WeightedScore else {},
        )
        self._outlines = drawn.outlines
        self._decay = decay
        # A spec that does not listen to time is not pressed by it either.
        pressed = self._fusion.scores * decay if Signal.TIME in model.signals else self._fusion.scores
        weights = [model.tiers.get(tier, 0.0) for tier in _TIERS]
        equal = set(weights) == {1.0}
        self._scores = pressed if equal else pressed * np.array(weights)[outlines.cells // len(Typology)]

    def best(self, limit: int) -> list[Ranked]:
        """The best in the one total order, each with its reasons."""
        scores, count = self._scores, len(self._scores)
        # Only what has a score that comes so far is looked at as a whole.
        far = (scores >= reached(scores, limit)).nonzero()[0] if limit < count else np.arange(count)
        ids, valid_at, recorded_at, confirmations, confirmed_at = self._outlines.standing(far)
        score, decays = scores[far].tolist(), self._decay[far].tolist()
        keys = map(order_key, score, valid_at, recorded_at, ids)
        columns = (keys, far.tolist(), ids, score, decays, confirmations, confirmed_at)
        first = sorted(zip(*columns, strict=True))[:limit]
        reasons = Reasons(self._fusion, [place for _, place, *_ in first])
        return [Ranked(place, id_, of, decay, times, last, reasons) for _, place, id_, of, decay, times, last in first]


def heard(drawn: Drawn, search: Search, model: RetrievalModel, evidence: Evidence, near: Column) -> dict[Signal, Heard]:
    """All that the signals say: what was found, the labels, what neighbours lend, and what became true when."""
    labels = _labels(drawn.outlines, search)
    (labelled,) = labels.nonzero()
    said = {
        **evidence.heard,
        Signal.TAGS: Heard(labelled, labels[labelled]),
        Signal.TIME: Heard(EVERYONE, drawn.outlines.valid_at / 1_000_000),
        Signal.NEIGHBOURHOOD: Heard(EVERYONE, near),
    }
    return {signal: scores for signal, scores in said.items() if signal in model.signals}


def _labels(outlines: Outlines, search: Search) -> Column:
    """What the labels asked for say of each, and the times that the query names. Either says more, the more candidates
    it rules out, up to twice its share: nothing if all have it, where it was merely named; never less than the share,
    where it was asked for."""
    labels = _ruling_out(outlines.labels, len(search.labels), at_least=1.0 if search.finding else 0.0)
    if not search.periods:
        return labels
    shares = within(search.periods, outlines.valid_at) / len(search.periods)
    return labels + _ruling_out(shares, len(search.periods))


def _ruling_out(shares: Column, parts: int, at_least: float = 0.0) -> Column:
    # Sorted, as a sum of thirds depends on the order of addition. What has no parts is had as a whole, or not.
    together = np.count_nonzero(shares) if parts == 1 else float(np.add.reduce(np.sort(shares)))
    lacking = 1 - together / max(len(shares), 1)
    said: Column = max(2 * lacking, at_least) * shares
    return said
