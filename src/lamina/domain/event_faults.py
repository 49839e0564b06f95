"""What is wrong with a chain of events: what was changed, what is missing, and what stands in another place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from lamina.domain.event import EventId
from lamina.domain.event_chain import BEGINNING, Link, LoggedEvent, hash_of

FaultKind = Literal["changed", "missing", "reordered"]
"""In which way a chain is not what was written."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: at which position, with which event, and how it shows.

    Of what is missing, the position is that of the first, and the event the one that follows, if any does.
    """

    kind: FaultKind
    position: int
    id: EventId | None
    shown_by: str

    def __str__(self) -> str:
        event = f" (event {self.id})" if self.id else ""
        return f"{self.kind} at {self.position}{event}: {self.shown_by}"


def faults(logged: Iterable[LoggedEvent], after: Link | None = None, until: Link | None = None) -> list[Fault]:
    """What is wrong with a run of a chain, by position; nothing if it is as it was written.

    The run begins where the chain does, or right after `after`: page by page, that is the link of the last event of the
    page before. `until` is a link that was noted before: the run must come as far, and through it. Without one, events
    that are missing at the end do not show.
    """
    run = list(logged)
    placed = {one.position: one for one in run}
    start = after.position + 1 if after else 0
    found = [
        *_missing(sorted(placed), start, until.position if until else -1, placed),
        *_out_of_order(run, start),
        *_untrue(run, after),
        *_unlinked(placed, start, after),
        *_not_as_noted(placed, until),
    ]
    # One event is told once: by what was found first, which says the most.
    told: dict[tuple[int, EventId | None], Fault] = {}
    for fault in found:
        told.setdefault((fault.position, fault.id), fault)
    return sorted(told.values(), key=lambda fault: fault.position)


def _missing(there: Sequence[int], start: int, end: int, placed: Mapping[int, LoggedEvent]) -> Iterator[Fault]:
    expected = [position for position in there if position >= start]
    for before, next_one in pairwise([start - 1, *expected]):
        if next_one > before + 1:
            said = f"{_counted(next_one - before - 1)} before it"
            yield Fault("missing", before + 1, placed[next_one].event.id, said)
    last = max([start - 1, *expected])
    if end > last:
        yield Fault("missing", last + 1, None, f"{_counted(end - last)} up to the one that was noted")


def _counted(number: int) -> str:
    return "1 event is not there" if number == 1 else f"{number:,} events are not there"


def _out_of_order(run: Sequence[LoggedEvent], start: int) -> Iterator[Fault]:
    highest = start - 1
    for one in run:
        if one.position <= highest:
            yield _fault("reordered", one, f"it comes after position {highest}")
        highest = max(highest, one.position)


def _untrue(run: Sequence[LoggedEvent], after: Link | None) -> Iterator[Fault]:
    """Events whose hash is not theirs: if it is in the place that they were written at, only the place is wrong."""
    written_at = _by_links(run, after)
    for one in run:
        if _true_at(one, one.position):
            continue
        place = written_at.get(one.hash)
        if place is not None and place != one.position and _true_at(one, place):
            yield _fault("reordered", one, f"it was written at position {place}")
        else:
            yield _fault("changed", one, "its hash is not that of what it says")


def _true_at(one: LoggedEvent, position: int) -> bool:
    return hash_of(one.anchor_id, one.event, position, one.previous) == one.hash


def _by_links(run: Sequence[LoggedEvent], after: Link | None) -> dict[bytes, int]:
    """Where each event was written, by its hash, as far as each names the one before it."""
    following = {one.previous: one.hash for one in run}
    places: dict[bytes, int] = {}
    position, end = (after.position, after.hash) if after else (-1, BEGINNING)
    while end in following and following[end] not in places:
        position, end = position + 1, following[end]
        places[end] = position
    return places


def _unlinked(placed: Mapping[int, LoggedEvent], start: int, after: Link | None) -> Iterator[Fault]:
    """Events that are true by themselves, but not what the next one followed."""
    first = placed.get(start)
    if first and first.previous != (after.hash if after else BEGINNING):
        yield _fault("changed", first, "it does not follow what is before it")
    for one in placed.values():
        following = placed.get(one.position + 1)
        if following and following.previous != one.hash and _true_at(following, following.position):
            yield _fault("changed", one, f"it is not what event {following.event.id} followed")


def _not_as_noted(placed: Mapping[int, LoggedEvent], until: Link | None) -> Iterator[Fault]:
    noted = placed.get(until.position) if until else None
    if until and noted and noted.hash != until.hash:
        yield _fault("changed", noted, "it is not the event that was noted")


def _fault(kind: FaultKind, one: LoggedEvent, shown_by: str) -> Fault:
    return Fault(kind, one.position, one.event.id, shown_by)
