"""Retiring and exempting: what an operator or an agent says of one record. The row stays, whatever is said (D10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from lamina.application.deciding import decide_saying, found, refused
from lamina.application.resources import Resources
from lamina.domain import transitions
from lamina.domain.anchor import Anchor
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.scope_cleanup import pointing
from lamina.ports.unit_of_work import UnitOfWork

Step = Callable[[UnitOfWork, MemoryRecord, datetime], MemoryRecord | Refusal]


@dataclass(frozen=True, slots=True)
class _Word:
    """What is said of a record: by which verb, and why."""

    verb: str
    reason: str


def archive(resources: Resources, anchor: Anchor, memory_id: MemoryId, reason: str) -> Outcome:
    """Recall no longer surfaces it. What an action rests on is not archived from beneath it."""

    def step(unit: UnitOfWork, record: MemoryRecord, now: datetime) -> MemoryRecord | Refusal:
        links = unit.action_links.of(record.id)
        if links:
            return Refusal("action-linkage", f"{links[0].kind} {links[0].ref} was justified by it: it stays as it is")
        return transitions.archive(record, now, reason)

    return _change(resources, anchor, memory_id, _Word("archive", reason), step)


def exempt(resources: Resources, anchor: Anchor, memory_id: MemoryId, reason: str) -> Outcome:
    """It stays as it is, and no longer presses for an outcome."""

    def step(_: UnitOfWork, record: MemoryRecord, now: datetime) -> MemoryRecord | Refusal:
        return transitions.exempt(record, now, reason)

    return _change(resources, anchor, memory_id, _Word("exempt", reason), step)


def invalidate(
    resources: Resources, anchor: Anchor, memory_id: MemoryId, reason: str, since: datetime | None = None
) -> Outcome:
    """It is no longer so, since then or as of now."""

    def step(_: UnitOfWork, record: MemoryRecord, now: datetime) -> MemoryRecord | Refusal:
        began = record.validity.valid_at
        if record.live and since and since < began:
            told = f"it is so since {began.isoformat()}: give a later `since`, or that instant if it never was"
            return Refusal("validity", told)
        return transitions.invalidate(record, since or now, now, reason)

    return _change(resources, anchor, memory_id, _Word("invalidate", reason), step)


def supersede(resources: Resources, anchor: Anchor, memory_id: MemoryId, by: MemoryId) -> Outcome:
    """Another live record of the anchor takes its place."""

    def step(unit: UnitOfWork, record: MemoryRecord, now: datetime) -> MemoryRecord | Refusal:
        successor = found(unit, by)
        return successor if isinstance(successor, Refusal) else transitions.supersede(record, successor, now)

    return _change(resources, anchor, memory_id, _Word("supersede", f"{by} took its place"), step)


def erase(resources: Resources, anchor: Anchor, memory_id: MemoryId, reason: str) -> Outcome:
    """Blanks what a retired record says, if nothing points at it. The row and its trail stay, for good."""

    def step(unit: UnitOfWork, record: MemoryRecord, now: datetime) -> MemoryRecord | Refusal:
        (standing,) = unit.scope_cleanup.standings([record.id])
        return transitions.tombstone(record, pointing(standing.pointers, standing.followed_from), now, reason)

    return _change(resources, anchor, memory_id, _Word("erase", reason), step)


def _change(resources: Resources, anchor: Anchor, memory_id: MemoryId, word: _Word, step: Step) -> Outcome:
    def act(unit: UnitOfWork) -> Outcome:
        record = found(unit, memory_id)
        changed = record if isinstance(record, Refusal) else step(unit, record, resources.clock.now())
        if isinstance(changed, Refusal):
            return refused(changed)
        unit.records.change(changed)
        return Outcome(Decision.UPDATE if changed.live else Decision.DELETE, (memory_id,), word.reason)

    return decide_saying(resources, anchor, word.verb, word.reason, act)
