"""What the log of decisions says of a record: whether it was live after them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.undoing import UNCHANGED, UNDO


def live_at(memory_id: MemoryId, entries: Iterable[DecisionEntry], known_at: datetime) -> bool | None:
    """Whether the decisions up to then left the record live; None if they say nothing of it.

    Its own columns know only the last of what happened: what was retired and brought back looks as if nothing had.
    """
    live: bool | None = None
    undone: DecisionEntry | None = None
    for entry in entries:
        if memory_id in entry.outcome.ids and entry.at <= known_at and entry.outcome.decision not in UNCHANGED:
            live = _after(memory_id, entry, undone)
            undone = entry
    return live


def _after(memory_id: MemoryId, entry: DecisionEntry, before: DecisionEntry | None) -> bool:
    first = entry.outcome.ids[0] == memory_id
    if entry.verb == UNDO:
        # Only the last decision about a record can be undone, so it was the one before.
        return before is None or not _wrote(memory_id, before)
    match entry.outcome.decision:
        case Decision.ADD:
            return True
        case Decision.UPDATE:
            return first
        case _:
            return False


def _wrote(memory_id: MemoryId, entry: DecisionEntry) -> bool:
    """Whether the decision wrote the record, rather than changing one that was there."""
    made = entry.outcome.decision in (Decision.ADD, Decision.HELD) or len(entry.outcome.ids) > 1
    return made and entry.outcome.ids[0] == memory_id
