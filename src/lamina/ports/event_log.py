"""The perfect log of one persona of an agent: what happened to it, as it happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from lamina.domain.errors import DuplicateId, StoreError
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.events import Persona


def check_persona(persona: Persona, events: Iterable[Event]) -> None:
    """What every store refuses to append: an event of the other persona."""
    for event in events:
        if event.persona is not persona:
            raise StoreError(
                f"event {event.id}", f"is of the {event.persona}, not of the {persona}", "append it to its own log"
            )


def check_new(events: Sequence[Event], taken: Iterable[EventId]) -> None:
    """What every store refuses before it writes: an id that is in the log already, or comes twice."""
    seen = set(taken)
    for event in events:
        if event.id in seen:
            raise DuplicateId(f"id {event.id}", "is taken", "give a new one; if it is the same event, it is logged")
        seen.add(event.id)


@dataclass(frozen=True, slots=True)
class Held:
    """What is to be known before an append."""

    of_loop: Sequence[LoggedEvent]
    known: Mapping[EventId, LoggedEvent]


class EventLog(Protocol):
    """Keeps events; nothing here changes or removes one. They are a chain of their own, in a table of their own.

    Nothing here looks at the other persona's events, not even for an id that is taken: whoever is refused would learn
    of them.
    """

    def hold(self, loop_id: LoopId, after: int, ids: Sequence[EventId]) -> Held:
        """Whoever else would append to the chain waits from here on until this unit has ended. Gives what is to be
        known before an append, as it is then: what was logged of a loop after a position, and which ids are there."""
        ...

    def append(self, events: Sequence[Event]) -> list[LoggedEvent]:
        """Adds events to the end of the chain, in order, all or none. Raises `DuplicateId` for an id that is taken.
        Whoever appends to the same chain waits until this unit has ended."""
        ...

    def get(self, ids: Iterable[EventId]) -> dict[EventId, LoggedEvent]:
        """Those of the events that are there."""
        ...

    def range(self, start: datetime, end: datetime, after: int | None, limit: int) -> list[LoggedEvent]:
        """What happened from `start` on and before `end`, by time, then by position. `after` is the position of the
        last event of the page before; after one that is not there comes nothing."""
        ...

    def of_loops(self, loop_ids: Iterable[LoopId], after: int = -1) -> list[LoggedEvent]:
        """All events of some loops after a position, in the order of the chain."""
        ...

    def chain(self, after: int | None, limit: int) -> list[LoggedEvent]:
        """The chain after a position, from its beginning after None, in its order: for `faults`."""
        ...

    def last(self) -> LoggedEvent | None:
        """The end of the chain. Its link, noted outside the store, shows later whether the end was taken away."""
        ...
