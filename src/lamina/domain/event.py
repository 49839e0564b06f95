"""One event of the perfect log (C). The agent is the anchor, so an event does not repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NewType
from uuid import UUID

from lamina.domain.errors import OutOfRange, TextTooLong, UnknownKey, WrongType
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.ids import checked_id
from lamina.domain.instants import checked_instant
from lamina.domain.text import check_characters

EventId = NewType("EventId", UUID)
LoopId = NewType("LoopId", UUID)

LONGEST_CONTENT: Final = 1_000_000
"""Characters. A whole book chapter or a long tool result fits; what is larger is referred to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happened, when, in which loop, and to whom of the two. It never changes."""

    id: EventId
    ts: datetime
    """In UTC, whatever zone it was given in. Clocks go backwards: the chain's order is not the order of time."""
    persona: Persona
    loop_id: LoopId
    kind: EventKind
    visibility: EventVisibility
    content: str = ""
    """May be empty: a tool call can say all in its metadata."""
    metadata: Metadata = field(default_factory=Metadata)

    def __post_init__(self) -> None:
        checked_id(self.id, "event id")
        checked_id(self.loop_id, "loop_id")
        _check_word(self.persona, Persona, "persona")
        _check_word(self.kind, EventKind, "event kind")
        _check_word(self.visibility, EventVisibility, "visibility")
        _check_content(self.content, f"content of event {self.id}")
        if not isinstance(self.metadata, Metadata):
            raise WrongType("metadata", f"is a {type(self.metadata).__name__}", "give Metadata({...})")
        object.__setattr__(self, "ts", _in_utc(self.ts))


def _check_word(given: StrEnum, words: type[StrEnum], where: str) -> None:
    if not isinstance(given, words):
        raise UnknownKey(where, f"is {given!r}", f"give one of {', '.join(words)} as {words.__name__}")


def _check_content(content: str, where: str) -> None:
    if not isinstance(content, str):
        raise WrongType(where, f"is a {type(content).__name__}", "give a string, empty if there is nothing to say")
    if len(content) > LONGEST_CONTENT:
        raise TextTooLong(
            where,
            f"has {len(content):,} characters, {LONGEST_CONTENT:,} is the bound",
            "keep it elsewhere, and log where it is",
        )
    check_characters(content, where)


def _in_utc(ts: datetime) -> datetime:
    if checked_instant(ts, "ts").tzinfo is UTC:
        return ts
    try:
        return ts.astimezone(UTC)
    except OverflowError as error:
        raise OutOfRange("ts", f"({ts.isoformat()}) has no date in UTC", "give one of the years 1 to 9999") from error
