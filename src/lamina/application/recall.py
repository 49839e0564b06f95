"""Recalling: each signal finds candidates, the domain fuses them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.fusion import Contribution, fuse
from lamina.domain.ids import MemoryId
from lamina.domain.numbers import checked_number
from lamina.domain.order import order_key
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.text import checked_text
from lamina.ports.unit_of_work import UnitOfWork

LIVE = Selection()
LONGEST_QUERY = 100_000
DEPTH = 4
"""Each signal is asked for this many times the limit, so that what two of them rank lower can still come first."""

Found = dict[Signal, Mapping[MemoryId, float]]
Place = tuple[Anchor, MemoryId]


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers, its score, and what each signal said of it."""

    record: MemoryRecord
    score: float
    why: Mapping[Signal, Contribution]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and of which part of memory."""

    text: str
    limit: int = 10
    tags: Mapping[str, str] | None = None
    selection: Selection = LIVE

    def __post_init__(self) -> None:
        checked_text(self.text, "query", at_most=LONGEST_QUERY)
        checked_number(self.limit, "limit", at_least=1, at_most=10_000)


def recall(resources: Resources, anchor: Anchor, query: Query) -> list[Hit]:
    """The best answers of one anchor, best first."""
    ask = _Asking(resources, query)
    with resources.store.reading(anchor) as unit:
        found = ask.candidates(unit)
        fused = fuse(found, ask.weights, resources.spec.retrieval.scoring)
        records = unit.records.get(fused)
    return _best(resources, query, [Hit(records[id_], one.score, one.why) for id_, one in fused.items()])


def recall_across(resources: Resources, anchors: Sequence[Anchor], query: Query) -> list[Hit]:
    """The best answers of several anchors, ranked together. Each is asked in a unit of its own: none sees another."""
    ask = _Asking(resources, query)
    found: dict[Signal, dict[Place, float]] = {}
    for anchor in anchors:
        with resources.store.reading(anchor) as unit:
            for signal, scores in ask.candidates(unit).items():
                found.setdefault(signal, {}).update({(anchor, id_): score for id_, score in scores.items()})
    foremost = {signal: dict(nlargest(ask.depth, scores.items(), _by_score)) for signal, scores in found.items()}
    fused = fuse(foremost, ask.weights, resources.spec.retrieval.scoring)
    records = _records(resources, list(fused))
    # What was removed between the two looks at it is no answer any more.
    hits = [Hit(records[place], one.score, one.why) for place, one in fused.items() if place in records]
    return _best(resources, query, hits)


class _Asking:
    """A query as the signals want it: embedded and taken apart once, outside any transaction."""

    def __init__(self, resources: Resources, query: Query) -> None:
        self.depth = DEPTH * query.limit
        self.weights = resources.spec.retrieval.signals
        self._query = query
        self._model = resources.embedder.model
        self._vector = resources.embedder.query(query.text)
        (self._lexemes,) = resources.lexer.lexemes([query.text])

    def candidates(self, unit: UnitOfWork) -> Found:
        """What each signal finds in one anchor."""
        selection, search = self._query.selection, unit.candidates
        return {
            Signal.SEMANTIC: search.nearest(self._vector, self._model, selection, self.depth),
            Signal.LEXICAL: search.matching(self._lexemes, selection, self.depth),
            Signal.TAGS: search.tagged(self._query.tags or {}, selection, self.depth),
        }


def _by_score(item: tuple[Place, float]) -> float:
    return item[1]


def _records(resources: Resources, places: Sequence[Place]) -> dict[Place, MemoryRecord]:
    wanted: dict[Anchor, list[MemoryId]] = {}
    for anchor, id_ in places:
        wanted.setdefault(anchor, []).append(id_)
    records = {}
    for anchor, ids in wanted.items():
        with resources.store.reading(anchor) as unit:
            records.update({(anchor, id_): record for id_, record in unit.records.get(ids).items()})
    return records


def _best(resources: Resources, query: Query, hits: Sequence[Hit]) -> list[Hit]:
    tiers = resources.spec.retrieval.tiers
    weighed = [Hit(hit.record, hit.score * tiers[hit.record.tier], hit.why) for hit in hits]
    return sorted(weighed, key=lambda hit: order_key(hit.score, hit.record))[: query.limit]
