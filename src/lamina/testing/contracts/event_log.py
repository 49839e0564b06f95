"""What every store of events keeps its word on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamina.domain.anchor import Anchor
from lamina.domain.errors import DuplicateId, NaiveTime, ReadOnly, StoreError
from lamina.domain.event import Event, EventId
from lamina.domain.event_chain import BEGINNING, LoggedEvent, chained
from lamina.domain.event_faults import faults
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import Persona
from lamina.ports.store import Store
from lamina.testing.event_strategies import SECOND, agent, event, events
from lamina.testing.samples import START, anchor

ACTOR, SUBCONSCIOUS = Persona.ACTOR, Persona.SUBCONSCIOUS
EVER: Final = (START - timedelta(days=20_000), START + timedelta(days=40_000))
ALL: Final = 100_000
Reopen = Callable[[], Store]
# One test, run by each store's class on a store that lives as long as the test.
_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]


def append(store: Store, *new: Event, whose: Anchor | None = None) -> list[LoggedEvent]:
    """Appends events of one persona, in a unit of their own."""
    with store.unit(whose or agent()) as unit:
        return unit.events.append(new[0].persona, new)


def whole(store: Store, persona: Persona = ACTOR, whose: Anchor | None = None) -> list[LoggedEvent]:
    """A chain from its beginning to its end."""
    with store.reading(whose or agent()) as unit:
        return unit.events.chain(persona, None, ALL)


class EventLogContract:
    """Events come back as they went in, in chains that show whether they did.

    The sample spec has no event memory. So besides `store` there is a fixture `event_store`, an empty store for
    `lamina.domain.agents.CHAOS_AGENT` and the sample embedding, and `reopen_events`, which opens the same store again
    and may take the place of the first.
    """

    @settings(max_examples=40, deadline=None, suppress_health_check=_SHARED)
    @given(st.lists(events(), min_size=1, max_size=3))
    def test_any_event_comes_back_as_it_went_in(self, event_store: Store, some: list[Event]) -> None:
        # The ids are new in each run, as the store outlives it.
        new = [replace(one, id=EventId(uuid4())) for one in some]
        logged = append(event_store, *new)
        assert [one.event for one in logged] == new
        with event_store.reading(agent()) as unit:
            found = unit.events.get(ACTOR, [one.id for one in new])
            assert found == {one.event.id: one for one in logged}
            assert [found[one.id].event.metadata.text for one in new] == [one.metadata.text for one in new]
            assert unit.events.chain(ACTOR, logged[0].position - 1, len(new)) == logged
            assert unit.events.last(ACTOR) == logged[-1]

    @pytest.mark.parametrize("count", [1, 9, 30, 1_000], ids=str)
    def test_many_at_once_are_one_chain(self, event_store: Store, count: int) -> None:
        new = [event(f"e {number}", metadata=Metadata({"n": number})) for number in range(count)]
        logged = append(event_store, *new)
        assert [one.position for one in logged] == list(range(count))
        assert logged[0] == chained(agent().id, new[0], 0, BEGINNING)
        assert whole(event_store) == logged
        assert faults(logged, until=logged[-1].link) == []

    def test_the_longest_content_is_taken(self, event_store: Store) -> None:
        long = [event(f"long {n}", content="ü" * 1_000_000) for n in range(2)]
        assert [one.event for one in append(event_store, *long)] == long
        assert [one.event for one in whole(event_store)] == long

    def test_a_chain_goes_on_from_unit_to_unit(self, event_store: Store, reopen_events: Reopen) -> None:
        first = append(event_store, event("a"), event("b"))
        with event_store.unit(agent()) as unit:
            second = unit.events.append(ACTOR, [event("c")]) + unit.events.append(ACTOR, [event("d")])
        again = reopen_events()
        third = append(again, event("e"))
        assert whole(again) == [*first, *second, *third]
        assert [one.position for one in whole(again)] == [0, 1, 2, 3, 4]
        assert faults(whole(again), until=third[-1].link) == []

    def test_two_personas_are_two_chains(self, event_store: Store) -> None:
        mine = append(event_store, event("a"), event("b"))
        hers = append(event_store, event("c", persona=SUBCONSCIOUS))
        assert hers[0].position == 0
        assert hers[0].previous == BEGINNING
        assert (whole(event_store, ACTOR), whole(event_store, SUBCONSCIOUS)) == (mine, hers)
        with event_store.reading(agent()) as unit:
            assert unit.events.get(ACTOR, [event("c").id]) == {}
            assert set(unit.events.get(SUBCONSCIOUS, [event("a").id, event("c").id])) == {event("c").id}
            assert unit.events.range(ACTOR, *EVER, None, ALL) == mine
            assert unit.events.last(SUBCONSCIOUS) == hers[0]

    def test_one_persona_learns_nothing_of_the_others_ids(self, event_store: Store) -> None:
        append(event_store, event("a", persona=SUBCONSCIOUS))
        assert append(event_store, event("a"))[0].event == event("a")

    def test_an_event_goes_to_the_log_of_its_own_persona(self, event_store: Store) -> None:
        hers = event("b", persona=SUBCONSCIOUS)
        with pytest.raises(StoreError, match=f"event {hers.id} is of the subconscious, not of the actor"):
            append(event_store, event("a"), hers)
        assert whole(event_store) == []

    def test_another_anchor_sees_nothing(self, event_store: Store) -> None:
        append(event_store, event("a"))
        with event_store.reading(agent("atlas2")) as unit:
            assert unit.events.get(ACTOR, [event("a").id]) == {}
            assert unit.events.range(ACTOR, *EVER, None, ALL) == []
            assert unit.events.chain(ACTOR, None, ALL) == []
            assert unit.events.last(ACTOR) is None
        (theirs,) = append(event_store, event("a"), whose=agent("atlas2"))
        assert theirs.position == 0
        assert theirs.hash != whole(event_store)[0].hash, "a hash is of one anchor"

    def test_a_range_is_in_the_order_of_time_then_of_the_chain(self, event_store: Store) -> None:
        logged = append(event_store, event("late", 9), event("x", 5), event("y", 5), event("early", 1), event("z", 5))
        with event_store.reading(agent()) as unit:
            found = unit.events.range(ACTOR, START + SECOND, START + 9 * SECOND, None, ALL)
            assert [one.position for one in found] == [3, 1, 2, 4], "from the start on, and before the end"
            assert found[0] == logged[3]
            assert unit.events.range(ACTOR, START + 9 * SECOND, START + SECOND, None, ALL) == []
            with pytest.raises(NaiveTime, match="start"):
                unit.events.range(ACTOR, START.replace(tzinfo=None), START, None, ALL)

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
    def test_pages_are_the_whole(self, event_store: Store, size: int) -> None:
        logged = append(event_store, *(event(f"e {number}", number * 7 % 5) for number in range(25)))
        by_time = sorted(logged, key=lambda one: (one.event.ts, one.position))
        with event_store.reading(agent()) as unit:
            ranged: list[LoggedEvent] = []
            while page := unit.events.range(ACTOR, *EVER, ranged[-1].position if ranged else None, size):
                assert len(page) <= size
                ranged += page
            in_order: list[LoggedEvent] = []
            while page := unit.events.chain(ACTOR, in_order[-1].position if in_order else None, size):
                assert faults(page, after=in_order[-1].link if in_order else None) == []
                in_order += page
            assert unit.events.range(ACTOR, *EVER, 99, size) == [], "after what is not there comes nothing"
        assert ranged == by_time
        assert in_order == logged

    @pytest.mark.parametrize("many", [2, 40], ids=["few", "many"])
    def test_an_id_is_taken_once_and_then_nothing_is_written(self, event_store: Store, many: int) -> None:
        append(event_store, event("a"))
        new = [event(f"e {number}") for number in range(many)]
        for batch in ([*new, event("a", content="another")], [*new, new[0]]):
            with pytest.raises(DuplicateId, match=f"id {batch[-1].id} is taken"):
                append(event_store, *batch)
        with event_store.unit(agent()) as unit, suppress(DuplicateId):
            unit.events.append(ACTOR, [*new, event("a")])
        assert [one.event for one in whole(event_store)] == [event("a")]

    def test_a_unit_that_fails_leaves_no_gap(self, event_store: Store) -> None:
        append(event_store, event("a"))
        with pytest.raises(ZeroDivisionError), event_store.unit(agent()) as unit:
            unit.events.append(ACTOR, [event("b")])
            raise ZeroDivisionError
        append(event_store, event("c"))
        assert [(one.position, one.event) for one in whole(event_store)] == [(0, event("a")), (1, event("c"))]
        assert faults(whole(event_store)) == []

    def test_nothing_is_appended_where_only_reading_was_asked_for(self, event_store: Store) -> None:
        with pytest.raises(ReadOnly), event_store.reading(agent()) as unit:
            unit.events.append(ACTOR, [event("a")])
        assert whole(event_store) == []

    def test_appending_or_asking_for_nothing(self, event_store: Store) -> None:
        with event_store.unit(agent()) as unit:
            assert unit.events.append(ACTOR, []) == []
            assert unit.events.get(ACTOR, []) == {}
            assert unit.events.last(ACTOR) is None
            unit.events.append(ACTOR, [event("a")])
            assert unit.events.chain(ACTOR, None, 0) == []
            assert unit.events.range(ACTOR, *EVER, None, 0) == []

    def test_many_append_at_once_and_each_chain_is_whole(self, event_store: Store) -> None:
        def write(number: int) -> list[LoggedEvent]:
            persona = (ACTOR, ACTOR, SUBCONSCIOUS)[number % 3]
            size = 30 if number % 8 == 0 else 1 + number % 2
            new = [event(f"e {number} {place}", persona=persona) for place in range(size)]
            return append(event_store, *new, whose=agent(f"agent {number % 2}"))

        with ThreadPoolExecutor(8) as pool:
            written = list(pool.map(write, range(48)))
        for whose in (agent("agent 0"), agent("agent 1")):
            for persona in Persona:
                chain = whole(event_store, persona, whose)
                theirs = [run for run in written if run[0].anchor_id == whose.id and run[0].event.persona is persona]
                assert [one.position for one in chain] == list(range(sum(map(len, theirs))))
                assert faults(chain) == []
                assert all(chain[run[0].position : run[-1].position + 1] == run for run in theirs), "a batch lies apart"

    def test_a_spec_without_event_memory_keeps_none(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            assert unit.events.get(ACTOR, [event("a").id]) == {}
            assert unit.events.range(ACTOR, *EVER, None, ALL) == []
            assert unit.events.chain(ACTOR, None, ALL) == []
            assert unit.events.last(ACTOR) is None
            with pytest.raises(StoreError, match="not kept by this spec"):
                unit.events.append(ACTOR, [event("a")])
