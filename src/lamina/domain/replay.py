"""What the log of decisions says of a record at another time.

A record's own columns know the last of what happened: what was retired and brought back looks as if nothing had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from lamina.domain.as_of import AsOf
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.state import ACTIVE, Candidate, Live
from lamina.domain.undoing import UNCHANGED, UNDO, former_state

_ENDING: Final = ("invalidate", "supersede")


def stood(memory_id: MemoryId, entries: Iterable[DecisionEntry], then: AsOf) -> bool:
    """Whether the log agrees with the columns that we held it to be so; where it says nothing, it does."""
    touching = _touching(memory_id, entries)
    before = [entry for entry in touching if entry.at <= then.known_at]
    if not before or _live(memory_id, before):
        return True
    last = before[-1]
    if last.outcome.decision is Decision.HELD:
        return False
    if not any(entry.verb == UNDO for entry in touching[len(before) :]):
        # It is still as that decision left it, and the columns know when that was.
        return True
    return _ends(memory_id, last) and then.valid_at < last.at


def live_at(memory_id: MemoryId, entries: Iterable[DecisionEntry], known_at: datetime) -> bool | None:
    """Whether the decisions up to then left the record live; None if they say nothing of it."""
    before = [entry for entry in _touching(memory_id, entries) if entry.at <= known_at]
    return _live(memory_id, before) if before else None


def state_at(memory_id: MemoryId, entries: Iterable[DecisionEntry], known_at: datetime) -> Live:
    """What the decisions up to then had made of a record that was live."""
    was = former_state(memory_id, [entry for entry in entries if entry.at <= known_at])
    return ACTIVE if isinstance(was, Candidate) else was


def _touching(memory_id: MemoryId, entries: Iterable[DecisionEntry]) -> list[DecisionEntry]:
    return [entry for entry in entries if memory_id in entry.outcome.ids and entry.outcome.decision not in UNCHANGED]


def _live(memory_id: MemoryId, before: Sequence[DecisionEntry]) -> bool:
    last = before[-1]
    if last.verb == UNDO:
        # Only the last decision about a record can be undone, so it was the one before.
        return len(before) < 2 or not _wrote(memory_id, before[-2])
    match last.outcome.decision:
        case Decision.ADD:
            return True
        case Decision.UPDATE:
            return last.outcome.ids[0] == memory_id
        case _:
            return False


def _ends(memory_id: MemoryId, entry: DecisionEntry) -> bool:
    """Whether the decision said that it is so no longer, rather than that it is not to be surfaced."""
    replaced = entry.outcome.decision is Decision.UPDATE and entry.outcome.ids[0] != memory_id
    return entry.verb in _ENDING or (replaced and entry.verb != UNDO)


def _wrote(memory_id: MemoryId, entry: DecisionEntry) -> bool:
    """Whether the decision wrote the record, rather than changing one that was there."""
    made = entry.outcome.decision in (Decision.ADD, Decision.HELD) or len(entry.outcome.ids) > 1
    return made and entry.outcome.ids[0] == memory_id
