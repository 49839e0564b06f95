"""What the log says of one record: which decisions changed it, and what it was before one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.state import Active, Candidate, Exempted, Live, Promoted

UNDO: Final = "undo"
UNCHANGED: Final = (Decision.NOOP, Decision.REFUSED)
_LIFTING: Final = ("close", "escalate", "dream")
Former = Candidate | Live


def in_turn(entries: Iterable[DecisionEntry]) -> list[DecisionEntry]:
    """In the order in which they were written: ids count up, also where a clock was set back."""
    return sorted(entries, key=lambda entry: entry.id)


def changes(entries: Iterable[DecisionEntry]) -> list[DecisionEntry]:
    """Those that changed a record, of all that touched it. What was merely said of it, such as a corroboration, is no
    change; nor is holding what is held already."""
    return [entry for number, entry in enumerate(in_turn(entries)) if _changed(entry, first=number == 0)]


def _changed(entry: DecisionEntry, *, first: bool) -> bool:
    decision = entry.outcome.decision
    return decision not in UNCHANGED and (first or decision is not Decision.HELD)


def former_state(memory_id: MemoryId, entries: Sequence[DecisionEntry], undone: DecisionId | None = None) -> Former:
    """What a record was before the decision that is undone, or else after all of them, if it was not retired by one: an
    exemption comes back too, and what was held is held."""
    stood: list[Former] = []
    for number, entry in enumerate(in_turn(entries)):
        if entry.id == undone:
            break
        now = _disposed(memory_id, entry)
        if entry.verb == UNDO and not entry.outcome.stopped:
            stood[-1:] = []
        elif _changed(entry, first=number == 0) or isinstance(now, Promoted):
            exempted = bool(stood) and isinstance(stood[-1], Exempted)
            stood.append(stood[-1] if exempted else now or Active())
    return stood[-1] if stood else Active()


def _disposed(memory_id: MemoryId, entry: DecisionEntry) -> Former | None:
    """What a decision made of a record, if not plainly a live one."""
    outcome, ids = entry.outcome, entry.outcome.ids
    if outcome.decision is Decision.HELD and outcome.rule:
        return Candidate(entry.at, outcome.reason, outcome.rule)
    if outcome.decision is Decision.UPDATE and ids == (memory_id,) and entry.verb != UNDO:
        return Exempted(entry.at, outcome.reason)
    # A record that moved up or became a fact is named last; before it a fact that was known, and what stood for it.
    named_last = len(ids) == (2 if outcome.decision is Decision.ADD else 3) and ids[-1] == memory_id
    return Promoted(entry.at, ids[0]) if named_last and entry.verb in _LIFTING else None
