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
from lamina.domain.errors import DuplicateId, InvalidInput, NaiveTime, ReadOnly, StoreError
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import BEGINNING, LoggedEvent, chained
from lamina.domain.event_faults import faults
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import Persona
from lamina.ports.store import Store
from lamina.testing.event_strategies import SECOND, agent, event, events
from lamina.testing.samples import START, anchor, uuid

ACTOR, SUBCONSCIOUS = Persona.ACTOR, Persona.SUBCONSCIOUS
EVER: Final = (START - timedelta(days=20_000), START + timedelta(days=40_000))
ALL: Final = 100_000
Reopen = Callable[[], Store]
# One test, run by each store's class on a store that lives as long as the test.
_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]


def append(store: Store, *new: Event, whose: Anchor | None = None) -> list[LoggedEvent]:
    """Appends events of one persona, in a unit of their own."""
    with store.persona(whose or agent(), new[0].persona).unit() as unit:
        return unit.log.append(new)


def whole(store: Store, persona: Persona = ACTOR, whose: Anchor | None = None) -> list[LoggedEvent]:
    """A chain from its beginning to its end."""
    with store.persona(whose or agent(), persona).reading() as unit:
        return unit.log.chain(None, ALL)


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
        with event_store.persona(agent(), ACTOR).reading() as unit:
            found = unit.log.get([one.id for one in new])
            assert found == {one.event.id: one for one in logged}
            assert [found[one.id].event.metadata.text for one in new] == [one.metadata.text for one in new]
            assert unit.log.chain(logged[0].position - 1, len(new)) == logged
            assert unit.log.last() == logged[-1]

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
        with event_store.persona(agent(), ACTOR).unit() as unit:
            second = unit.log.append([event("c")]) + unit.log.append([event("d")])
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
        with event_store.persona(agent(), ACTOR).reading() as unit:
            assert unit.log.get([event("c").id]) == {}
            assert unit.log.range(*EVER, None, ALL) == mine
        with event_store.persona(agent(), SUBCONSCIOUS).reading() as unit:
            assert set(unit.log.get([event("a").id, event("c").id])) == {event("c").id}
            assert unit.log.last() == hers[0]

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
        with event_store.persona(agent("atlas2"), ACTOR).reading() as unit:
            assert unit.log.get([event("a").id]) == {}
            assert unit.log.range(*EVER, None, ALL) == []
            assert unit.log.chain(None, ALL) == []
            assert unit.log.last() is None
        (theirs,) = append(event_store, event("a"), whose=agent("atlas2"))
        assert theirs.position == 0
        assert theirs.hash != whole(event_store)[0].hash, "a hash is of one anchor"

    def test_a_range_is_in_the_order_of_time_then_of_the_chain(self, event_store: Store) -> None:
        logged = append(event_store, event("late", 9), event("x", 5), event("y", 5), event("early", 1), event("z", 5))
        with event_store.persona(agent(), ACTOR).reading() as unit:
            found = unit.log.range(START + SECOND, START + 9 * SECOND, None, ALL)
            assert [one.position for one in found] == [3, 1, 2, 4], "from the start on, and before the end"
            assert found[0] == logged[3]
            assert unit.log.range(START + 9 * SECOND, START + SECOND, None, ALL) == []
            with pytest.raises(NaiveTime, match="start"):
                unit.log.range(START.replace(tzinfo=None), START, None, ALL)

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
    def test_pages_are_the_whole(self, event_store: Store, size: int) -> None:
        logged = append(event_store, *(event(f"e {number}", number * 7 % 5) for number in range(25)))
        by_time = sorted(logged, key=lambda one: (one.event.ts, one.position))
        with event_store.persona(agent(), ACTOR).reading() as unit:
            ranged: list[LoggedEvent] = []
            while page := unit.log.range(*EVER, ranged[-1].position if ranged else None, size):
                assert len(page) <= size
                ranged += page
            in_order: list[LoggedEvent] = []
            while page := unit.log.chain(in_order[-1].position if in_order else None, size):
                assert faults(page, after=in_order[-1].link if in_order else None) == []
                in_order += page
            assert unit.log.range(*EVER, 99, size) == [], "after what is not there comes nothing"
        assert ranged == by_time
        assert in_order == logged

    @pytest.mark.parametrize("many", [2, 40], ids=["few", "many"])
    def test_an_id_is_taken_once_and_then_nothing_is_written(self, event_store: Store, many: int) -> None:
        append(event_store, event("a"))
        new = [event(f"e {number}") for number in range(many)]
        for batch in ([*new, event("a", content="another")], [*new, new[0]]):
            with pytest.raises(DuplicateId, match=f"id {batch[-1].id} is taken"):
                append(event_store, *batch)
        with event_store.persona(agent(), ACTOR).unit() as unit, suppress(DuplicateId):
            unit.log.append([*new, event("a")])
        assert [one.event for one in whole(event_store)] == [event("a")]

    def test_a_unit_that_fails_leaves_no_gap(self, event_store: Store) -> None:
        append(event_store, event("a"))
        with pytest.raises(ZeroDivisionError), event_store.persona(agent(), ACTOR).unit() as unit:
            unit.log.append([event("b")])
            raise ZeroDivisionError
        append(event_store, event("c"))
        assert [(one.position, one.event) for one in whole(event_store)] == [(0, event("a")), (1, event("c"))]
        assert faults(whole(event_store)) == []

    def test_nothing_is_appended_where_only_reading_was_asked_for(self, event_store: Store) -> None:
        with pytest.raises(ReadOnly), event_store.persona(agent(), ACTOR).reading() as unit:
            unit.log.append([event("a")])
        assert whole(event_store) == []

    def test_appending_or_asking_for_nothing(self, event_store: Store) -> None:
        with event_store.persona(agent(), ACTOR).unit() as unit:
            assert unit.log.append([]) == []
            assert unit.log.get([]) == {}
            assert unit.log.last() is None
            unit.log.append([event("a")])
            assert unit.log.chain(None, 0) == []
            assert unit.log.range(*EVER, None, 0) == []

    def test_many_append_at_once_and_each_chain_is_whole(self, event_store: Store) -> None:
        def write(number: int) -> list[LoggedEvent]:
            persona = (ACTOR, ACTOR, SUBCONSCIOUS)[number % 3]
            size = 30 if number % 8 == 0 else 1 + number % 2
            new = [event(f"e {number} {place}", persona=persona) for place in range(size)]
            return append(event_store, *new, whose=agent(f"agent-{number % 2}"))

        with ThreadPoolExecutor(8) as pool:
            written = list(pool.map(write, range(48)))
        for whose in (agent("agent-0"), agent("agent-1")):
            for persona in Persona:
                chain = whole(event_store, persona, whose)
                theirs = [run for run in written if run[0].anchor_id == whose.id and run[0].event.persona is persona]
                assert [one.position for one in chain] == list(range(sum(map(len, theirs))))
                assert faults(chain) == []
                assert all(chain[run[0].position : run[-1].position + 1] == run for run in theirs), "a batch lies apart"

    def test_a_spec_without_event_memory_keeps_none(self, store: Store) -> None:
        with pytest.raises(StoreError, match="not kept by this spec"):
            store.persona(anchor(), ACTOR)
        assert store.agents() == []

    def test_the_events_of_loops_are_in_the_order_of_the_chain(self, event_store: Store) -> None:
        loops = [LoopId(uuid(name)) for name in "abc"]
        logged = append(event_store, *(event(f"e {n}", -n, loop_id=loops[n % 3]) for n in range(12)))
        with event_store.persona(agent(), ACTOR).reading() as unit:
            assert unit.log.of_loops(loops[:2]) == [one for one in logged if one.event.loop_id in loops[:2]]
            assert unit.log.of_loops([loops[2]], after=5) == [logged[8], logged[11]]
            assert unit.log.of_loops([]) == []

    def test_every_agent_with_events_is_listed(self, event_store: Store) -> None:
        append(event_store, event("a"), whose=agent("b"))
        append(event_store, event("s", persona=SUBCONSCIOUS), whose=agent("a"))
        append(event_store, event("c"), whose=agent("a"))
        assert event_store.agents() == [agent("a"), agent("b")]

    @pytest.mark.parametrize("name", ["two words", "a__b", "", "ä"])
    def test_an_agent_that_cannot_name_a_collection_has_no_events(self, event_store: Store, name: str) -> None:
        with pytest.raises(InvalidInput):
            event_store.persona(agent(name), ACTOR)
