"""Deriving: what long-term and short-term memory keep of events that are logged. A model that fails loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from lamina.application.persona_memory import PersonaMemory
from lamina.domain.derivation import DerivationStatus, Progress
from lamina.domain.errors import WrongType
from lamina.domain.event import Event, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.long_term import DONE, LONGEST_ENTRY, NOT_TRIED, LongTermEntry, entry_of
from lamina.domain.loop_summary import NOT_SUMMARISED, LoopSummary, summary_of
from lamina.domain.text import checked_text
from lamina.ports.long_term import NewEntry

Claimed = tuple[LoggedEvent, LongTermEntry | None]
In = TypeVar("In")
Out = TypeVar("Out")
PATIENCE: Final = 3
"""After so many failures in a row, the rest of a batch is not tried: whoever fails for all would be asked for each."""


@dataclass(frozen=True, slots=True)
class Derived:
    """What became of what was to be derived."""

    entries: int = 0
    summaries: int = 0
    pending: int = 0


def derive_loop(memory: PersonaMemory, loop_id: LoopId) -> Derived:
    """The entries and the summary of one loop. The models work outside any transaction."""
    with memory.store.reading() as unit:
        run = unit.log.of_loops([loop_id])
    if not run:
        return Derived()
    entries = new_entries(memory, [(one, None) for one in run])
    summary = new_summary(memory, run, None)
    with memory.store.unit() as unit:
        unit.long_term.put(entries)
        unit.short_term.put([summary])
    done = sum(one.entry.progress.done for one in entries)
    return Derived(done, int(summary.progress.done), len(entries) - done + (not summary.progress.done))


def new_entries(memory: PersonaMemory, claimed: Sequence[Claimed]) -> list[NewEntry]:
    """An entry for each event: derived, or with what it waits for."""
    said = _compacted(memory, claimed)
    texts = {place: text for place, text in enumerate(said) if isinstance(text, str)}
    vectors = dict(zip(texts, _each(memory.embedder.documents, list(texts.values())), strict=True))
    lexemes = dict(zip(texts, memory.lexer.lexemes(list(texts.values())), strict=True))
    entries = []
    for place, (one, text) in enumerate(zip(claimed, said, strict=True)):
        if isinstance(text, str):
            entries.append(_found_by(one, text, vectors[place], lexemes[place]))
        else:
            waiting = _before(one).failed(DerivationStatus.PENDING_COMPACTION, text)
            entries.append(NewEntry(entry_of(one[0], None, waiting)))
    return entries


def new_summary(memory: PersonaMemory, run: Sequence[LoggedEvent], known: LoopSummary | None) -> LoopSummary:
    """The summary of a loop: derived, or with what was said last."""
    before = known.progress if known and known.last_position == run[-1].position else NOT_SUMMARISED
    try:
        return summary_of(run, memory.tools.summariser.summarise([one.event for one in run]), DONE)
    except Exception as error:  # noqa: BLE001 (whatever a model raises, the loop is logged)
        return summary_of(run, None, before.failed(DerivationStatus.PENDING_SUMMARY, error))


def _compacted(memory: PersonaMemory, claimed: Sequence[Claimed]) -> list[str | Exception]:
    """The text of each, or why it has none. What only waits for its vector has its text already."""

    def compact(batch: Sequence[Event]) -> list[str]:
        texts = memory.tools.compactor.compact(batch)
        return [checked_text(text, "what the compactor gave", at_most=LONGEST_ENTRY) for text in texts]

    there = [known.text if known else None for _, known in claimed]
    lacking = [one.event for (one, _), text in zip(claimed, there, strict=True) if text is None]
    made = iter(_each(compact, lacking))
    return [next(made) if text is None else text for text in there]


def _found_by(claimed: Claimed, text: str, vector: bytes | Exception, lexemes: Sequence[str]) -> NewEntry:
    if isinstance(vector, Exception):
        waiting = _before(claimed).failed(DerivationStatus.PENDING_EMBEDDING, vector)
        return NewEntry(entry_of(claimed[0], text, waiting), None, lexemes)
    return NewEntry(entry_of(claimed[0], text, DONE), vector, lexemes)


def _before(claimed: Claimed) -> Progress:
    return claimed[1].progress if claimed[1] else NOT_TRIED


def _each(work: Callable[[Sequence[In]], Sequence[Out]], items: Sequence[In]) -> list[Out | Exception]:
    """The results of a batch; if it fails as a whole, of each by itself, with the error of each that failed."""
    if not items:
        return []
    whole = _tried(work, items)
    if not isinstance(whole, Exception):
        return list(whole)
    if len(items) == 1:
        return [whole]
    results: list[Out | Exception] = []
    failed = 0
    for item in items:
        result = results[-1] if failed >= PATIENCE else _first(_tried(work, [item]))
        failed = failed + 1 if isinstance(result, Exception) else 0
        results.append(result)
    return results


def _tried(work: Callable[[Sequence[In]], Sequence[Out]], items: Sequence[In]) -> Sequence[Out] | Exception:
    try:
        results = work(items)
    except Exception as error:  # noqa: BLE001 (whatever a model raises, the events are logged)
        return error
    if len(results) != len(items):
        return WrongType("a model", f"gave {len(results)} results for {len(items)} inputs", "give one for each")
    return results


def _first(results: Sequence[Out] | Exception) -> Out | Exception:
    return results if isinstance(results, Exception) else results[0]
