"""Recalling: each signal finds candidates, the domain ranks them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from lamina.application.hit import Hit
from lamina.application.query import Asked, Query, asked
from lamina.application.rerank import candidates_wanted, reranked
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.as_of import AsOf
from lamina.domain.decaying import Decaying
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.neighbourhood import REACH
from lamina.domain.ranking import Ranked, Ranking
from lamina.domain.record import MemoryRecord
from lamina.domain.replay import stood
from lamina.domain.search import Drawn, Known, together
from lamina.domain.selection import Selection
from lamina.ports.unit_of_work import UnitOfWork

MICROSECOND = timedelta(microseconds=1)


def recall(resources: Resources, anchor: Anchor, query: Query) -> list[Hit]:
    """The best answers of one anchor, best first."""
    return recall_many(resources, anchor, [query])[0]


def recall_many(resources: Resources, anchor: Anchor, queries: Sequence[Query]) -> list[list[Hit]]:
    """The best answers to each query, asked all at once."""
    if not queries:
        return []
    # What is asked together is asked of the same part of memory.
    selection = queries[0].selection
    every, (known,) = asked(resources, [anchor], queries)
    with resources.store.reading(anchor) as unit:
        ranked = [
            _ranking(resources, drawn, one, selection).best(candidates_wanted(resources, one.query.limit))
            for one, drawn in zip(every, _drawn(unit, every, known, selection), strict=True)
        ]
        records = unit.records.get(dict.fromkeys(one.outline.id for some in ranked for one in some))
    hits = [[_hit(one, records[one.outline.id]) for one in some] for some in ranked]
    return [reranked(resources, query, some) for query, some in zip(queries, hits, strict=True)]


def recall_across(resources: Resources, anchors: Sequence[Anchor], query: Query) -> list[Hit]:
    """The best answers of several anchors, ranked together. Each is asked in a unit of its own: none sees another."""
    (one,), known = asked(resources, anchors, [query])
    several = []
    for anchor, words in zip(anchors, known, strict=True):
        with resources.store.reading(anchor) as unit:
            several += _drawn(unit, [one], words, query.selection)
    whose = [anchor for anchor, drawn in zip(anchors, several, strict=True) for _ in drawn.outlines.cells]
    ranking = _ranking(resources, together(several, one.search.limit), one, query.selection)
    best = ranking.best(candidates_wanted(resources, query.limit))
    records = _records(resources, [(whose[ranked.place], ranked.outline.id) for ranked in best])
    # What was removed between the two looks at it is no answer any more.
    hits = [_hit(ranked, record) for ranked, record in zip(best, records, strict=True) if record]
    return reranked(resources, query, hits)


def _drawn(unit: UnitOfWork, every: Sequence[Asked], known: Known, selection: Selection) -> list[Drawn]:
    """What the signals find for each query."""
    searches = [one.of(known) for one in every]
    drawn = unit.candidates.draw(searches, REACH, selection)
    for place, one in enumerate(every):
        if len(drawn[place].outlines) < one.query.limit:
            # As many as there are: what no signal speaks of comes last, the newest first.
            more = searches[place]._replace(newest=one.query.limit)
            (drawn[place],) = unit.candidates.draw([more], REACH, selection)
    return [_stood(unit, one, selection.as_of) for one in drawn] if selection.as_of else drawn


def _stood(unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    """But for what the log says was retired at that time, and was brought back since."""
    ids = list(drawn.outlines.ids)
    entries = unit.decisions.about_any(ids)
    return drawn.only([place for place, id_ in enumerate(ids) if stood(id_, entries, then)])


def _ranking(resources: Resources, drawn: Drawn, asked: Asked, selection: Selection) -> Ranking:
    now = selection.as_of.known_at if selection.as_of else resources.clock.now()
    decay = Decaying(resources.spec, now).weights(drawn.outlines)
    return Ranking(drawn, asked.search, resources.spec.retrieval, decay)


def _hit(ranked: Ranked, record: MemoryRecord) -> Hit:
    one = ranked.outline
    confirmed_at = None if one.confirmed_at is None else EPOCH + one.confirmed_at * MICROSECOND
    return Hit(record, ranked.score, ranked.why, ranked.decay, one.confirmations, confirmed_at)


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
