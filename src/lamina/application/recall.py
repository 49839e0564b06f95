"""Recalling: each signal finds candidates, the domain ranks them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from heapq import nlargest

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
from lamina.domain.outline import Outline
from lamina.domain.ranking import Ranked, Ranking
from lamina.domain.record import MemoryRecord
from lamina.domain.replay import stood
from lamina.domain.search import Found
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.ports.unit_of_work import UnitOfWork

MICROSECOND = timedelta(microseconds=1)
Placed = Mapping[Signal, Mapping[int, float]]
"""What was found, by the places of the outlines."""


def recall(resources: Resources, anchor: Anchor, query: Query) -> list[Hit]:
    """The best answers of one anchor, best first."""
    return recall_many(resources, anchor, [query])[0]


def recall_many(resources: Resources, anchor: Anchor, queries: Sequence[Query]) -> list[list[Hit]]:
    """The best answers to each query, asked all at once."""
    if not queries:
        return []
    # What is asked together is asked of the same part of memory.
    selection = queries[0].selection
    every = asked(resources, [anchor], queries)
    with resources.store.reading(anchor) as unit:
        ranked = [
            _ranking(resources, found, outlines, selection).best(candidates_wanted(resources, one.query.limit))
            for one, (found, outlines) in zip(every, _found(unit, every, selection), strict=True)
        ]
        records = unit.records.get(dict.fromkeys(one.outline.id for some in ranked for one in some))
    hits = [[_hit(one, records[one.outline.id]) for one in some] for some in ranked]
    return [reranked(resources, query, some) for query, some in zip(queries, hits, strict=True)]


def recall_across(resources: Resources, anchors: Sequence[Anchor], query: Query) -> list[Hit]:
    """The best answers of several anchors, ranked together. Each is asked in a unit of its own: none sees another."""
    (one,) = asked(resources, anchors, [query])
    scores: dict[Signal, dict[int, float]] = {}
    outlines: list[Outline] = []
    whose: list[Anchor] = []
    for anchor in anchors:
        with resources.store.reading(anchor) as unit:
            ((found, drawn),) = _found(unit, [one], query.selection)
        for signal, some in found.items():
            mine = scores.setdefault(signal, {})
            mine.update({len(outlines) + place: score for place, score in some.items()})
        outlines += [_apart(anchor, outline) for outline in drawn]
        whose += [anchor] * len(drawn)
    foremost = {signal: dict(nlargest(one.search.limit, some.items(), _by_score)) for signal, some in scores.items()}
    ranking = _ranking(resources, foremost, outlines, query.selection)
    best = ranking.best(candidates_wanted(resources, query.limit))
    records = _records(resources, [(whose[ranked.place], ranked.outline.id) for ranked in best])
    # What was removed between the two looks at it is no answer any more.
    hits = [_hit(ranked, record) for ranked, record in zip(best, records, strict=True) if record]
    return reranked(resources, query, hits)


def _found(unit: UnitOfWork, every: Sequence[Asked], selection: Selection) -> list[tuple[Placed, list[Outline]]]:
    """What the signals find for each query, and the outlines of that and of what stands beside it."""
    found = unit.candidates.search([one.search for one in every], selection)
    pools = [dict.fromkeys(id_ for scores in some.values() for id_ in scores) for some in found]
    wanted = [(pool, one.labels) for pool, one in zip(pools, every, strict=True)]
    drawn = unit.candidates.outlines(wanted, REACH, selection)
    for place, one in enumerate(every):
        if len(drawn[place]) < one.query.limit:
            # As many as there are: what no signal speaks of comes last, the newest first.
            newest = unit.candidates.newest(selection, one.query.limit)
            (drawn[place],) = unit.candidates.outlines([({**pools[place], **newest}, one.labels)], REACH, selection)
        if selection.as_of:
            drawn[place] = _stood(unit, drawn[place], selection.as_of)
    return [(_placed(some, outlines), outlines) for some, outlines in zip(found, drawn, strict=True)]


def _placed(found: Found, outlines: Sequence[Outline]) -> Placed:
    places = {one.id: place for place, one in enumerate(outlines)}
    return {
        signal: {places[id_]: score for id_, score in scores.items() if id_ in places}
        for signal, scores in found.items()
    }


def _stood(unit: UnitOfWork, outlines: Sequence[Outline], then: AsOf) -> list[Outline]:
    """But for what the log says was retired at that time, and was brought back since."""
    entries = unit.decisions.about_any([one.id for one in outlines])
    return [one for one in outlines if stood(one.id, entries, then)]


def _ranking(resources: Resources, found: Placed, outlines: Sequence[Outline], selection: Selection) -> Ranking:
    now = selection.as_of.known_at if selection.as_of else resources.clock.now()
    return Ranking(found, outlines, resources.spec.retrieval, Decaying(resources.spec, now).weight)


def _hit(ranked: Ranked, record: MemoryRecord) -> Hit:
    one = ranked.outline
    confirmed_at = None if one.confirmed_at is None else EPOCH + one.confirmed_at * MICROSECOND
    return Hit(record, ranked.score, ranked.why, ranked.decay, one.confirmations, confirmed_at)


def _by_score(item: tuple[int, float]) -> float:
    return item[1]


def _apart(anchor: Anchor, outline: Outline) -> Outline:
    """No session of one anchor is another's, whatever it is called."""
    session = outline.session
    return outline if session is None else outline._replace(session=session ^ anchor.id.int)


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
