"""Recalling: each signal finds candidates, the domain ranks them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.glance import glanced
from lamina.application.hit import Hit
from lamina.application.query import Asked, Query, Read, asked, known, read
from lamina.application.ranked import hit, ranking
from lamina.application.rerank import candidates_wanted, reranked
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.as_of import AsOf
from lamina.domain.ids import MemoryId
from lamina.domain.neighbourhood import REACH
from lamina.domain.record import MemoryRecord
from lamina.domain.replay import stood
from lamina.domain.search import Drawn, Known, together
from lamina.domain.selection import Selection
from lamina.ports.unit_of_work import UnitOfWork


def recall(resources: Resources, anchor: Anchor, query: Query) -> list[Hit]:
    """The best answers of one anchor, best first."""
    return recall_many(resources, anchor, [query])[0]


def recall_many(resources: Resources, anchor: Anchor, queries: Sequence[Query]) -> list[list[Hit]]:
    """The best answers to each query, asked all at once."""
    if not queries:
        return []
    reads = read(resources, queries)
    at_a_glance = glanced(resources, anchor, reads[0]) if len(reads) == 1 else None
    hits = _step_by_step(resources, anchor, reads) if at_a_glance is None else [at_a_glance]
    return [reranked(resources, query, some) for query, some in zip(queries, hits, strict=True)]


def _step_by_step(resources: Resources, anchor: Anchor, reads: Sequence[Read]) -> list[list[Hit]]:
    # What is asked together is asked of the same part of memory.
    selection = reads[0].query.selection
    (words,) = known(resources, [anchor], reads)
    every = asked(resources, reads, words.mentioned)
    with resources.store.reading(anchor) as unit:
        ranked = [
            ranking(resources, drawn, one.search, selection).best(candidates_wanted(resources, one.limit))
            for one, drawn in zip(every, _drawn(unit, every, words, selection), strict=True)
        ]
        records = unit.records.get(dict.fromkeys(one.id for some in ranked for one in some))
    return [[hit(one, records[one.id]) for one in some] for some in ranked]


def recall_across(resources: Resources, anchors: Sequence[Anchor], query: Query) -> list[Hit]:
    """The best answers of several anchors, ranked together. Each is asked in a unit of its own: none sees another."""
    reads = read(resources, [query])
    words = known(resources, anchors, reads)
    (one,) = asked(resources, reads, frozenset[str]().union(*(some.mentioned for some in words)))
    several = []
    for anchor, some in zip(anchors, words, strict=True):
        with resources.store.reading(anchor) as unit:
            several += _drawn(unit, [one], some, query.selection)
    whose = [anchor for anchor, drawn in zip(anchors, several, strict=True) for _ in drawn.outlines.cells]
    weighings = [one.of(some.counts).weighing for some in words]
    drawn = together(several, [list(each.weights) if each else [] for each in weighings], one.search.limit)
    order = ranking(resources, drawn, one.search, query.selection)
    best = order.best(candidates_wanted(resources, query.limit))
    records = _records(resources, [(whose[ranked.place], ranked.id) for ranked in best])
    # What was removed between the two looks at it is no answer any more.
    hits = [hit(ranked, record) for ranked, record in zip(best, records, strict=True) if record]
    return reranked(resources, query, hits)


def _drawn(unit: UnitOfWork, every: Sequence[Asked], words: Known, selection: Selection) -> list[Drawn]:
    """What the signals find for each query."""
    searches = [one.of(words.counts) for one in every]
    drawn = unit.candidates.draw(searches, REACH, selection)
    for place, one in enumerate(every):
        if len(drawn[place].outlines) < one.limit:
            # As many as there are: what no signal speaks of comes last, the newest first.
            more = searches[place]._replace(newest=one.limit)
            (drawn[place],) = unit.candidates.draw([more], REACH, selection)
    return [_stood(unit, one, selection.as_of) for one in drawn] if selection.as_of else drawn


def _stood(unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    """But for what the log says was retired at that time, and was brought back since."""
    ids = list(drawn.outlines.ids)
    entries = unit.decisions.about_any(ids)
    return drawn.only([place for place, id_ in enumerate(ids) if stood(id_, entries, then)])


def _records(resources: Resources, places: Sequence[tuple[Anchor, MemoryId]]) -> list[MemoryRecord | None]:
    """The records, each of its anchor, in order."""
    wanted: dict[Anchor, list[MemoryId]] = {}
    for anchor, id_ in places:
        wanted.setdefault(anchor, []).append(id_)
    there = {}
    for anchor, ids in wanted.items():
        with resources.store.reading(anchor) as unit:
            there[anchor] = unit.records.get(ids)
    return [there[anchor].get(id_) for anchor, id_ in places]
