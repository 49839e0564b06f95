"""Asking one persona's memory: literally by id or time, by meaning and words, or by a fuzzy look at the last loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import Final

from lamina.application.persona_memory import PersonaMemory
from lamina.domain.errors import WrongType
from lamina.domain.event import Event, EventId
from lamina.domain.events import Persona
from lamina.domain.fusion import Contribution, Fusion, Said, checked
from lamina.domain.instants import EPOCH, checked_instant
from lamina.domain.long_term import ANY_EVENT, EventFilter, LongTermEntry
from lamina.domain.loop_summary import LoopSummary, normalized
from lamina.domain.numbers import checked_whole
from lamina.domain.signals import Signal
from lamina.domain.stm import Identity, stm_scores
from lamina.domain.text import checked_text

PAGE: Final = 500
DEPTH: Final = 4
"""Each signal is asked for this many times the limit, so that what two of them rank lower can still come first."""
LONGEST_QUERY: Final = 100_000


@dataclass(frozen=True, slots=True)
class EntryHit:
    """A long-term entry that answers, its score, and what each signal said of it."""

    persona: Persona
    """Whose collection it is in."""
    entry: LongTermEntry
    score: float
    why: Mapping[Signal, Contribution]


@dataclass(frozen=True, slots=True)
class SummaryHit:
    """A loop that answers: its score, and how alike its summary and the query are, from 0 to 1."""

    persona: Persona
    summary: LoopSummary
    score: float
    similarity: float


def get_by_id(memory: PersonaMemory, event_id: EventId) -> Event | None:
    """One event, as it happened."""
    with memory.store.reading() as unit:
        found = unit.log.get([event_id]).get(event_id)
    return found.event if found else None


def get_range(memory: PersonaMemory, start: datetime, end: datetime) -> Iterator[Event]:
    """What happened from `start` on and before `end`, by time: a page at a time, as it is asked for."""
    return _paged(memory, checked_instant(start, "start"), checked_instant(end, "end"))


def _paged(memory: PersonaMemory, start: datetime, end: datetime) -> Iterator[Event]:
    after: int | None = None
    while True:
        # No transaction is held open while the caller thinks.
        with memory.store.reading() as unit:
            page = unit.log.range(start, end, after, PAGE)
        yield from (one.event for one in page)
        if len(page) < PAGE:
            return
        after = page[-1].position


def rag_query(memory: PersonaMemory, text: str, chosen: EventFilter = ANY_EVENT, limit: int = 10) -> list[EntryHit]:
    """The long-term entries that answer the text, best first: by meaning and by words, fused as the spec says."""
    check_question(text, limit)
    if not isinstance(chosen, EventFilter):
        raise WrongType("filters", f"are a {type(chosen).__name__}", "give an EventFilter, or leave them out")
    vector = memory.embedder.query(text)
    (lexemes,) = memory.lexer.lexemes([text])
    with memory.store.reading() as unit:
        found = {
            Signal.SEMANTIC: unit.long_term.nearest(vector, chosen, DEPTH * limit),
            Signal.LEXICAL: unit.long_term.matching(lexemes, chosen, DEPTH * limit),
        }
        ids = list(dict.fromkeys(id_ for some in found.values() for id_ in some))
        places = {id_: place for place, id_ in enumerate(ids)}
        heard = {
            signal: checked(signal, Said([places[id_] for id_ in some], list(some.values())))
            for signal, some in found.items()
        }
        fused = Fusion(heard, len(ids), memory.retrieval.signals, memory.retrieval.scoring)
        scores = fused.scores.tolist()
        best = nlargest(DEPTH * limit, places.values(), key=scores.__getitem__)
        entries = unit.long_term.get(ids[place] for place in best)
    hits = [
        EntryHit(memory.persona, entries[ids[place]], scores[place], why)
        for place, why in zip(best, fused.why(best), strict=True)
        if ids[place] in entries
    ]
    return sorted(hits, key=entry_order)[:limit]


def fuzzy_query(memory: PersonaMemory, text: str, heuristics: Identity | None, limit: int = 10) -> list[SummaryHit]:
    """The last loops whose summaries are most like the text, by the score of short-term memory."""
    check_question(text, limit)
    identity = memory.kept.identity if heuristics is None else heuristics
    if not isinstance(identity, Identity):
        raise WrongType("heuristics", f"are a {type(identity).__name__}", "give an Identity, or leave them out")
    now = (memory.clock.now() - EPOCH).total_seconds()
    with memory.store.reading() as unit:
        window = memory.seen.window(unit.short_term, memory.kept.window)
        ratios = memory.tools.fuzzy.token_set_ratios(normalized(text), window.texts)
        scores = stm_scores(ratios, window.last_seconds, window.words, now, identity)
        # The newest come first, so that among equals they stay first.
        best = nlargest(limit, range(len(scores)), key=scores.__getitem__)
        summaries = unit.short_term.get(window.loop_ids[place] for place in best)
    return [
        SummaryHit(memory.persona, summaries[window.loop_ids[place]], scores[place], ratios[place] / 100)
        for place in best
    ]


def entry_order(hit: EntryHit) -> tuple[float, float, str]:
    """The best first; among equals what happened last, then by id."""
    return -hit.score, -hit.entry.ts.timestamp(), str(hit.entry.id)


def check_question(text: str, limit: int) -> None:
    """Refuses what cannot be asked, of whomever."""
    checked_text(text, "query", at_most=LONGEST_QUERY)
    checked_whole(limit, "limit", at_least=1, at_most=10_000)
