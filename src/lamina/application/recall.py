"""Recalling: each signal finds candidates, the domain ranks them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.as_it_stood import as_it_stood, records_then
from lamina.application.glance import glanced
from lamina.application.hit import Hit
from lamina.application.query import Asked, Query, Read, asked, known, read
from lamina.application.ranked import ranking
from lamina.application.rerank import candidates_wanted, reranked
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import Counts, counted_together
from lamina.domain.ids import MemoryId
from lamina.domain.neighbourhood import REACH
from lamina.domain.record import MemoryRecord
from lamina.domain.search import Drawn, Search, together
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
            for one, drawn in zip(every, _drawn(resources, unit, every, words.counts), strict=True)
        ]
        records = _known(unit, [one.id for some in ranked for one in some], selection)
    return [[Hit(records[one.id], one) for one in some] for some in ranked]


def recall_across(resources: Resources, anchors: Sequence[Anchor], query: Query) -> list[Hit]:
    """The best answers of several anchors, ranked together. Each is asked in a unit of its own: none sees another. What
    is rare is so among all of them: else the same words would say more where they are said more often."""
    reads = read(resources, [query])
    words = known(resources, anchors, reads)
    (one,) = asked(resources, reads, frozenset[str]().union(*(some.mentioned for some in words)))
    counts = counted_together([some.counts for some in words])
    several = []
    for anchor in anchors:
        with resources.store.reading(anchor) as unit:
            several += _drawn(resources, unit, [one], counts)
    whose = [anchor for anchor, drawn in zip(anchors, several, strict=True) for _ in drawn.outlines.cells]
    order = ranking(resources, together(several, one.search.limit), one.search, query.selection)
    best = order.best(candidates_wanted(resources, query.limit))
    records = _records(resources, [(whose[ranked.place], ranked.id) for ranked in best], query.selection)
    # What was removed between the two looks at it is no answer any more.
    hits = [Hit(record, ranked) for ranked, record in zip(best, records, strict=True) if record]
    return reranked(resources, query, hits)


def _drawn(resources: Resources, unit: UnitOfWork, every: Sequence[Asked], counts: Counts) -> list[Drawn]:
    """What the signals find for each query."""
    selection = every[0].read.query.selection
    searches = [one.of(counts) for one in every]
    drawn = unit.candidates.draw(searches, REACH, selection)
    return [
        _enough(resources, unit, one, search, some) for one, search, some in zip(every, searches, drawn, strict=True)
    ]


def _enough(resources: Resources, unit: UnitOfWork, one: Asked, search: Search, drawn: Drawn) -> Drawn:
    """As many as there are, up to the limit: what no signal speaks of comes last, the newest first."""
    selection, newest = one.read.query.selection, one.limit
    found = _stood(resources, unit, drawn, selection)
    while len(found.outlines) < one.limit:
        (drawn,) = unit.candidates.draw([search._replace(newest=newest)], REACH, selection)
        found = _stood(resources, unit, drawn, selection)
        if len(drawn.outlines) < newest:
            # These are all.
            break
        newest *= 2
    return found


def _stood(resources: Resources, unit: UnitOfWork, drawn: Drawn, selection: Selection) -> Drawn:
    return as_it_stood(resources, unit, drawn, selection.as_of) if selection.as_of else drawn


def _known(unit: UnitOfWork, ids: Sequence[MemoryId], selection: Selection) -> dict[MemoryId, MemoryRecord]:
    return records_then(unit, ids, selection.as_of) if selection.as_of else unit.records.get(ids)


def _records(
    resources: Resources, places: Sequence[tuple[Anchor, MemoryId]], selection: Selection
) -> list[MemoryRecord | None]:
    """The records, each of its anchor, in order."""
    wanted: dict[Anchor, list[MemoryId]] = {}
    for anchor, id_ in places:
        wanted.setdefault(anchor, []).append(id_)
    there = {}
    for anchor, ids in wanted.items():
        with resources.store.reading(anchor) as unit:
            there[anchor] = _known(unit, ids, selection)
    return [there[anchor].get(id_) for anchor, id_ in places]
