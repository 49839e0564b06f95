"""How a record's state changes: each function gives another record, or a refusal with its reason (D10).

A successor must be live and another record, so a chain of successors can neither cycle nor end in nothing.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.retention import RetentionState, retention_state
from lamina.domain.state import (
    Active,
    Archived,
    Candidate,
    Exempted,
    Invalidated,
    Promoted,
    State,
    Superseded,
    Tombstoned,
    is_disposed,
)
from lamina.domain.validity import Validity

Transition = MemoryRecord | Refusal


def grant(record: MemoryRecord, at: datetime) -> Transition:
    """A candidate becomes live: it met what held it."""
    if not isinstance(record.state, Candidate):
        return _refuse("grant", record)
    return _with(replace(record, granted_at=at), Active())


def promote(record: MemoryRecord, into: MemoryId, at: datetime) -> Transition:
    """Disposed of by promotion: it stays live, and the forcing function lets go of it."""
    if is_disposed(record.state):
        return _refuse("promote", record)
    return _with(record, Promoted(at, into))


def exempt(record: MemoryRecord, at: datetime, reason: str) -> Transition:
    """Disposed of by a decision to keep it as it is."""
    if is_disposed(record.state):
        return _refuse("exempt", record)
    return _with(record, Exempted(at, reason))


def archive(record: MemoryRecord, at: datetime, reason: str) -> Transition:
    """No longer surfaced, for a reason that is not another record."""
    if record.live or isinstance(record.state, Candidate):
        return _with(record, Archived(at, reason))
    return _refuse("archive", record)


def invalidate(
    record: MemoryRecord,
    invalid_at: datetime,
    learned_at: datetime,
    reason: str,
    by: MemoryRecord | None = None,
) -> Transition:
    """No longer so since `invalid_at`, which we learned at `learned_at`, perhaps from another record."""
    stopped = _unfit("invalidate", record, by)
    if stopped:
        return stopped
    state = Invalidated(learned_at, reason, by.id if by else None, former_end=record.validity.invalid_at)
    return _with(record, state, record.validity.ending(invalid_at))


def supersede(record: MemoryRecord, by: MemoryRecord, at: datetime) -> Transition:
    """Another record takes its place."""
    return _unfit("supersede", record, by) or _with(record, Superseded(at, by.id))


def tombstone(record: MemoryRecord, pointers: int, at: datetime, reason: str) -> Transition:
    """An explicit erasure, from ORPHANED only: the body goes, the row and its trail stay."""
    state = retention_state(record.state, pointers)
    if state is RetentionState.ORPHANED and isinstance(record.state, Archived | Invalidated | Superseded):
        erased = Tombstoned(at, reason, record.state)
        return replace(record, body="", embedding_id=None, state=erased, version=record.version + 1)
    return Refusal("tombstone", f"{record.id} is {state}; only an orphaned record can be erased")


def restore(record: MemoryRecord, to: Candidate | Active | Promoted | Exempted | None = None) -> Transition:
    """Undoes a retirement or a disposition: it is what it was before. What was erased cannot come back."""
    if isinstance(record.state, Active | Candidate | Tombstoned):
        return _refuse("restore", record)
    if isinstance(record.state, Invalidated):
        return _with(record, to or Active(), Validity(record.validity.valid_at, record.state.former_end))
    return _with(record, to or Active())


def _with(record: MemoryRecord, state: State, validity: Validity | None = None) -> MemoryRecord:
    return replace(record, state=state, validity=validity or record.validity, version=record.version + 1)


def _unfit(act: str, record: MemoryRecord, by: MemoryRecord | None) -> Refusal | None:
    if not record.live:
        return _refuse(act, record)
    if by is not None and by.id == record.id:
        return Refusal(act, f"{record.id} cannot take its own place")
    if by is not None and by.scope.anchor != record.scope.anchor:
        return Refusal(act, f"{by.id} is of another anchor than {record.id}")
    if by is not None and not by.live:
        return Refusal(act, f"{by.id} is {_named(by.state)}; only a live record takes another's place")
    return None


def _refuse(act: str, record: MemoryRecord) -> Refusal:
    return Refusal(act, f"{record.id} is {_named(record.state)}")


def _named(state: State) -> str:
    return type(state).__name__.lower()
