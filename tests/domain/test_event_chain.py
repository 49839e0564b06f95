"""Whatever is done to a chain shows."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lamina.domain.errors import OutOfRange
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import BEGINNING, Link, LoggedEvent, chained, continued
from lamina.domain.event_faults import Fault, FaultKind, faults
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.ids import AnchorId
from lamina.testing.event_strategies import event, events, metadata
from lamina.testing.strategies import instants

ANCHOR = AnchorId(UUID(int=1))
SOME = [event(f"e {number}", number) for number in range(8)]
RUN = continued(ANCHOR, SOME, None)

runs = st.integers(1, len(RUN)).map(lambda size: RUN[:size])
OTHERWISE: dict[str, st.SearchStrategy[Any]] = {
    "id": st.uuids().map(EventId),
    "ts": instants(),
    "persona": st.sampled_from(Persona),
    "loop_id": st.uuids().map(LoopId),
    "kind": st.sampled_from(EventKind),
    "visibility": st.sampled_from(EventVisibility),
    "content": st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5),
    "metadata": metadata(),
}


def named(found: list[Fault]) -> list[tuple[FaultKind, int, EventId | None]]:
    return [(fault.kind, fault.position, fault.id) for fault in found]


def test_the_encoding_does_not_change_by_accident() -> None:
    """Worked out by hand from what the module says: these hashes are in stores."""
    one = Event(
        id=EventId(UUID(int=2)),
        ts=event("a").ts + timedelta(microseconds=7),
        persona=Persona.SUBCONSCIOUS,
        loop_id=LoopId(UUID(int=3)),
        kind=EventKind.TOOL_CALL,
        visibility=EventVisibility.INTERNAL,
        content="naïve ✓",
        metadata=Metadata({"b": 1.0, "a": ["é"]}),
    )
    assert (
        chained(ANCHOR, one, 0, BEGINNING).hash.hex()
        == "5971d78a47b9634996a62fee945b70e6da35579f324e46ad9ab005467f3f2024"
    )
    assert (
        chained(ANCHOR, one, 12, bytes(range(32))).hash.hex()
        == "2974ff7376a70c162d0172a000ef98373209605af21d0a9168249de9aa94df29"
    )


@given(st.lists(events(), min_size=1, max_size=4))
def test_a_chain_that_nobody_touched_has_no_faults(some: list[Event]) -> None:
    run = continued(ANCHOR, some, None)
    assert [one.position for one in run] == list(range(len(run)))
    assert [one.previous for one in run] == [BEGINNING, *(one.hash for one in run[:-1])]
    assert faults(run, until=run[-1].link) == []
    assert faults([]) == []
    for cut in range(1, len(run)):
        assert faults(run[cut:], after=run[cut - 1].link) == [], "page by page"


def test_every_field_is_tried() -> None:
    assert set(OTHERWISE) == {field.name for field in fields(Event)}


@given(runs, st.sampled_from(sorted(OTHERWISE)), st.data())
def test_any_change_to_any_field_is_found(run: list[LoggedEvent], field: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(run) - 1))
    one = run[place]
    other = replace(one.event, **{field: data.draw(OTHERWISE[field])})
    assume(other != one.event)
    found = faults([*run[:place], replace(one, event=other), *run[place + 1 :]])
    assert named(found) == [("changed", place, other.id)]


@given(runs, st.sampled_from(["anchor_id", "position", "previous", "hash"]), st.data())
def test_any_change_to_its_place_is_found(run: list[LoggedEvent], field: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(run) - 1))
    values: dict[str, st.SearchStrategy[Any]] = {
        "anchor_id": st.uuids().map(AnchorId),
        "position": st.integers(0, 2**31 - 1),
        "previous": st.binary(min_size=32, max_size=32),
        "hash": st.binary(min_size=32, max_size=32),
    }
    moved = replace(run[place], **{field: data.draw(values[field])})
    assume(moved != run[place])
    found = faults([*run[:place], moved, *run[place + 1 :]])
    assert run[place].event.id in {fault.id for fault in found}


@given(runs, st.data())
def test_any_removal_is_found(run: list[LoggedEvent], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.integers(0, len(run) - 1), min_size=1))
    left = [one for one in run if one.position not in gone]
    found = faults(left, until=run[-1].link)
    assert {fault.kind for fault in found} == {"missing"}
    first = [place for place in gone if place - 1 not in gone]
    assert [fault.position for fault in found] == sorted(first)
    following = {one.position: one.event.id for one in left}
    for fault in found:
        after = [place for place in following if place > fault.position]
        assert fault.id == (following[min(after)] if after else None)


@given(runs, st.data())
def test_any_swap_is_found(run: list[LoggedEvent], data: st.DataObject) -> None:
    assume(len(run) > 1)
    first, second = sorted(data.draw(st.lists(st.integers(0, len(run) - 1), min_size=2, max_size=2, unique=True)))
    listed = list(run)
    listed[first], listed[second] = listed[second], listed[first]
    assert {fault.kind for fault in faults(listed)} == {"reordered"}, "read in another order"
    moved = list(run)
    moved[first] = replace(run[second], position=first)
    moved[second] = replace(run[first], position=second)
    told = {(fault.kind, fault.position, fault.id) for fault in faults(moved)}
    assert told >= {("reordered", place, moved[place].event.id) for place in (first, second)}, "put in another's place"


@given(runs, events(), st.data())
def test_an_event_that_was_put_in_is_found(run: list[LoggedEvent], new: Event, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(run) - 1))
    forged = chained(ANCHOR, new, place, run[place].previous)
    later = [replace(one, position=one.position + 1) for one in run[place:]]
    assert faults([*run[:place], forged, *later])


@given(runs, events(), st.data())
def test_an_event_with_a_true_hash_in_the_place_of_another_is_found(
    run: list[LoggedEvent], new: Event, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(run) - 1))
    assume(new != run[place].event)
    forged = [*run[:place], chained(ANCHOR, new, place, run[place].previous), *run[place + 1 :]]
    assert named(faults(forged, until=run[-1].link)) == [("changed", place, new.id)]


def test_a_chain_that_was_written_anew_is_found_by_a_link_that_was_noted() -> None:
    anew = continued(ANCHOR, [SOME[0], event("forged"), *SOME[2:]], None)
    assert faults(anew) == [], "it holds together"
    assert named(faults(anew, until=RUN[5].link)) == [("changed", 5, SOME[5].id)]


def test_an_end_that_was_taken_away_is_found_by_a_link_that_was_noted() -> None:
    assert faults(RUN[:5]) == []
    (fault,) = faults(RUN[:5], until=RUN[7].link)
    assert str(fault) == "missing at 5: 3 events are not there up to the one that was noted"
    assert named(faults([], until=RUN[0].link)) == [("missing", 0, None)]


def test_faults_say_where_and_what() -> None:
    touched = [*RUN[:2], replace(RUN[3], event=replace(RUN[3].event, content="other")), *RUN[6:]]
    assert [str(fault) for fault in faults(touched)] == [
        f"missing at 2 (event {SOME[3].id}): 1 event is not there before it",
        f"changed at 3 (event {SOME[3].id}): its hash is not that of what it says",
        f"missing at 4 (event {SOME[6].id}): 2 events are not there before it",
    ]
    swapped = [RUN[0], replace(RUN[2], position=1), replace(RUN[1], position=2), *RUN[3:]]
    assert [str(fault) for fault in faults(swapped)] == [
        f"reordered at 1 (event {SOME[2].id}): it was written at position 2",
        f"reordered at 2 (event {SOME[1].id}): it was written at position 1",
    ]


def test_a_page_that_does_not_follow_the_one_before_is_found() -> None:
    assert named(faults(RUN[4:], after=RUN[2].link)) == [("missing", 3, SOME[4].id)]
    assert named(faults(RUN[3:], after=Link(2, bytes(32)))) == [("changed", 3, SOME[3].id)]
    assert named(faults(RUN[2:], after=RUN[2].link)) == [("reordered", 2, SOME[2].id)], "the same twice"
    assert named(faults([*RUN[:3], RUN[2], *RUN[3:]])) == [("reordered", 2, SOME[2].id)]


def test_a_position_from_nowhere_does_not_take_forever() -> None:
    far = replace(RUN[3], position=2**31 - 1)
    assert {fault.kind for fault in faults([*RUN[:3], far])} == {"missing", "reordered"}


@pytest.mark.parametrize(("position", "hash_"), [(-1, bytes(32)), (0, b""), (0, bytes(33))])
def test_a_place_that_no_chain_has_is_refused(position: int, hash_: bytes) -> None:
    with pytest.raises(OutOfRange):
        Link(position, hash_)
    with pytest.raises(OutOfRange):
        LoggedEvent(ANCHOR, SOME[0], position, bytes(32), hash_)
