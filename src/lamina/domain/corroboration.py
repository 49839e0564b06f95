"""Corroborations: who confirmed a record or failed to, from where, and when (D9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import takewhile
from uuid import UUID

from lamina.domain.ids import AnchorId, CorroborationId, MemoryId, SessionId
from lamina.domain.instants import checked_instant
from lamina.domain.text import check_characters, checked_text

Source = tuple["SourceType", UUID]


class SourceType(StrEnum):
    """What kind of thing speaks for it, and with that the table that its `source_ref` points into (D9)."""

    OBSERVATION_EVENT = "observation_event"
    """The agent's own `memory` table: the episode that was observed; or its log of events, the event. Of an observation
    made elsewhere, whatever its owner knows it by."""
    RULE_CHANGE = "rule_change"
    """The canonical table: the rule that changed."""
    CROSS_VERSION_CARRY = "cross_version_carry"
    """The agent's own `memory` table: the record of another version of the world that says the same."""
    OPERATOR_INPUT = "operator_input"
    """The operator's table, which is another context's; or the session, or the anchor, in which it was said."""
    AGENT_INFERENCE = "agent_inference"
    """The session, or the anchor, in which the agent concluded it."""


class Finding(StrEnum):
    """What the source found. A lifecycle counts failures in a row (P6)."""

    CONFIRMED = "confirmed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corroboration:
    """One source's word on one record."""

    id: CorroborationId
    memory_id: MemoryId
    source_type: SourceType
    source_ref: UUID
    corroborated_at: datetime
    session_id: SessionId | None = None
    outcome: Finding = Finding.CONFIRMED
    notes: str = ""
    world_version: str | None = None
    """The world model's version that was active: what is confirmed in several of them persists (D5, P9)."""
    found_in: AnchorId | None = None
    """The other anchor in which the source found it, if it was not this one."""

    def __post_init__(self) -> None:
        checked_instant(self.corroborated_at, "corroborated_at")
        check_characters(self.notes, "corroboration notes")
        if self.world_version is not None:
            checked_text(self.world_version, "world_version", at_most=100)

    @property
    def source(self) -> Source:
        """Who said it."""
        return self.source_type, self.source_ref

    @property
    def confirms(self) -> bool:
        """Whether it speaks for the record."""
        return self.outcome is Finding.CONFIRMED


def by_record(corroborations: Iterable[Corroboration]) -> dict[MemoryId, list[Corroboration]]:
    """Those of each record, in the order in which they come."""
    found: dict[MemoryId, list[Corroboration]] = {}
    for one in corroborations:
        found.setdefault(one.memory_id, []).append(one)
    return found


def independent(corroborations: Iterable[Corroboration]) -> int:
    """How many confirmations share neither source nor session with one another: the same voice twice is one.

    Each source may count in one session and each session for one source, so this is a maximum matching.
    """
    sessions: dict[Source, set[object]] = {}
    for one in corroborations:
        if one.confirms:
            # Outside any session, a source is its own occasion.
            sessions.setdefault(one.source, set()).add(one.session_id or one.source)
    heard_in: dict[Source, object] = {}
    return sum(_find_a_session(source, sessions, heard_in) for source in sessions)


def _find_a_session(source: Source, sessions: dict[Source, set[object]], heard_in: dict[Source, object]) -> bool:
    """Finds the source a session of its own, moving others on to another of theirs where that makes room."""
    taken = {session: holder for holder, session in heard_in.items()}
    asked_by: dict[object, Source] = {}
    waiting = [source]
    for one in waiting:
        for session in sessions[one] - asked_by.keys():
            asked_by[session] = one
            if session not in taken:
                _move_on(session, asked_by, heard_in)
                return True
            waiting.append(taken[session])
    return False


def _move_on(free: object, asked_by: dict[object, Source], heard_in: dict[Source, object]) -> None:
    session: object | None = free
    while session is not None:
        one = asked_by[session]
        session, heard_in[one] = heard_in.get(one), session


def last_confirmed(corroborations: Iterable[Corroboration]) -> datetime | None:
    """Derived each time, never a column (D9)."""
    return max((one.corroborated_at for one in corroborations if one.confirms), default=None)


def failures_in_a_row(corroborations: Iterable[Corroboration]) -> int:
    """How many of the latest findings failed, since the last that confirmed."""
    latest_first = sorted(corroborations, key=lambda one: (one.corroborated_at, one.id), reverse=True)
    return sum(1 for _ in takewhile(lambda one: not one.confirms, latest_first))
