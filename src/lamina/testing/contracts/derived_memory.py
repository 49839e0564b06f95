"""What every store of derived memory keeps its word on."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Final

import pytest

from lamina.domain.derivation import DerivationStatus, Progress
from lamina.domain.errors import WrongModel
from lamina.domain.event import Event, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.long_term import ANY_EVENT, DONE, EventFilter, entry_of
from lamina.domain.loop_state import Phase
from lamina.domain.loop_summary import LoopSummary, summary_of
from lamina.ports.long_term import PAGE, NewEntry
from lamina.ports.persona_store import PersonaStore
from lamina.ports.store import Store
from lamina.testing.contracts.event_log import append
from lamina.testing.event_strategies import SECOND, agent, event
from lamina.testing.samples import EMBEDDING, START, uuid, vector

ACTOR, SUBCONSCIOUS = Persona.ACTOR, Persona.SUBCONSCIOUS
WAITING: Final = Progress(DerivationStatus.PENDING_EMBEDDING, 1, "no model")
UNSUMMARISED: Final = Progress(DerivationStatus.PENDING_SUMMARY, 2, "no model")


def of(store: Store, persona: Persona = ACTOR) -> PersonaStore:
    """One persona of the sample agent."""
    return store.persona(agent(), persona)


def derived(logged: LoggedEvent, *numbers: float, text: str = "", progress: Progress = DONE) -> NewEntry:
    """An entry on its way in, with a vector if it has one, found by the words of its text."""
    words = text or logged.event.content
    made = vector(*numbers) if numbers else None
    return NewEntry(entry_of(logged, words, progress), made, words.split())


def looped(name: str, count: int = 2, start: int = 0) -> list[Event]:
    """Events of one loop."""
    kinds = [EventKind.USER_INPUT, *[EventKind.SYSTEM_EVENT] * (count - 2), EventKind.ACTOR_OUTPUT][:count]
    return [
        event(f"{name} {n}", start + n, loop_id=LoopId(uuid(name)), kind=kind, content=f"{name} {n}")
        for n, kind in enumerate(kinds)
    ]


def summary(run: Sequence[LoggedEvent], text: str | None = "a summary", progress: Progress = DONE) -> LoopSummary:
    """The summary of a run."""
    return summary_of(run, text, progress)


class LongTermContract:
    """One entry for each event, for one persona apart.

    `event_store` is an empty store for `lamina.domain.agents.CHAOS_AGENT` and the sample embedding.
    """

    @pytest.mark.parametrize("count", [1, 9, 30], ids=str)
    def test_entries_come_back_as_they_went_in(self, event_store: Store, count: int) -> None:
        logged = append(event_store, *(event(f"e {n}", n) for n in range(count)))
        new = [derived(one, 1.0, n / 10) for n, one in enumerate(logged)]
        with of(event_store).unit() as unit:
            unit.long_term.put(new)
        with of(event_store).reading() as unit:
            found = unit.long_term.get(one.event.id for one in logged)
            assert found == {one.entry.id: one.entry for one in new}
            assert unit.long_term.get([]) == {}
            assert unit.long_term.remaining() == []
            assert unit.long_term.claim(-1) == []

    def test_what_is_derived_stays_and_what_is_pending_is_written_over(self, event_store: Store) -> None:
        logged = append(event_store, *(event(f"e {n}") for n in range(30)))
        lacking = Progress(DerivationStatus.PENDING_COMPACTION, 3, "it failed")
        with of(event_store).unit() as unit:
            first = [derived(one, progress=WAITING) for one in logged[:20]]
            unit.long_term.put([*first, NewEntry(entry_of(logged[20], None, lacking))])
            remaining = {one.status: one for one in unit.long_term.remaining() if one.last_error}
            assert remaining[WAITING.status].count == 20
            assert remaining[lacking.status].attempts == 3
            assert sum(one.count for one in unit.long_term.remaining()) == 30
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(one, 1.0, text="now derived") for one in logged])
            unit.long_term.put([derived(one, 0.0, 1.0, text="too late") for one in logged])
            assert {one.text for one in unit.long_term.get(one.event.id for one in logged).values()} == {"now derived"}
            assert len(unit.long_term.nearest(vector(1.0), ANY_EVENT, 99)) == 30
            assert unit.long_term.matching(["late"], ANY_EVENT, 99) == {}
            assert unit.long_term.remaining() == []

    def test_what_waits_for_its_vector_is_found_by_its_words(self, event_store: Store) -> None:
        (logged,) = append(event_store, event("a"))
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(logged, text="harbour", progress=WAITING)])
        with of(event_store).reading() as unit:
            assert list(unit.long_term.matching(["harbour"], ANY_EVENT, 9)) == [logged.event.id]
            assert unit.long_term.nearest(vector(1.0), ANY_EVENT, 9) == {}
            ((claimed, entry),) = unit.long_term.claim(-1)
            assert (claimed, entry) == (logged, derived(logged, text="harbour", progress=WAITING).entry)
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(logged, 1.0, text="harbour")])
        with of(event_store).reading() as unit:
            assert list(unit.long_term.nearest(vector(1.0), ANY_EVENT, 9)) == [logged.event.id]

    def test_claims_go_on_after_a_position(self, event_store: Store) -> None:
        logged = append(event_store, *(event(f"e {n}") for n in range(PAGE + 20)))
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(one, 1.0) for one in logged[3:7]])
        claimed: list[LoggedEvent] = []
        with of(event_store).reading() as unit:
            while page := unit.long_term.claim(claimed[-1].position if claimed else -1):
                assert 0 < len(page) <= PAGE
                claimed += [one for one, _ in page]
        assert claimed == [*logged[:3], *logged[7:]]

    def test_the_nearest_and_the_matching_are_in_order(self, event_store: Store) -> None:
        logged = append(event_store, *(event(f"e {n}", n) for n in range(4)))
        near = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
        with of(event_store).unit() as unit:
            texts = ["harbour light", "harbour harbour", "road", "harbour light"]
            unit.long_term.put(
                [derived(one, *at, text=text) for one, at, text in zip(logged, near, texts, strict=True)]
            )
        ids = [one.event.id for one in logged]
        with of(event_store).reading() as unit:
            nearest = unit.long_term.nearest(vector(1.0, 0.0), ANY_EVENT, 3)
            assert nearest == {ids[3]: pytest.approx(1), ids[0]: pytest.approx(1), ids[2]: pytest.approx(0.5**0.5)}
            one = set(unit.long_term.nearest(vector(1.0, 0.0), ANY_EVENT, 1))
            assert one == {ids[3]}, "among equals what happened last comes first"
            matching = unit.long_term.matching(["harbour"], ANY_EVENT, 9)
            assert matching[ids[1]] > matching[ids[3]] == matching[ids[0]]
            assert set(unit.long_term.matching(["harbour"], ANY_EVENT, 2)) == {ids[1], ids[3]}
            assert unit.long_term.matching([], ANY_EVENT, 9) == {}
            with pytest.raises(WrongModel):
                unit.long_term.nearest(vector(1.0) + b"\0\0\0\0", ANY_EVENT, 9)

    def test_a_filter_narrows_both_searches(self, event_store: Store) -> None:
        other = LoopId(uuid("another"))
        logged = append(
            event_store,
            event("a", 1),
            event("b", 2, kind=EventKind.ERROR),
            event("c", 3, visibility=EventVisibility.PRIVATE),
            event("d", 4, loop_id=other),
        )
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(one, 1.0, text="said") for one in logged])
        kept = {
            EventFilter(kinds=frozenset({EventKind.ERROR})): "b",
            EventFilter(visibilities=frozenset({EventVisibility.PRIVATE})): "c",
            EventFilter(loop_id=other): "d",
            EventFilter(until=START + 2 * SECOND): "a",
            EventFilter(since=START + 4 * SECOND): "d",
        }
        with of(event_store).reading() as unit:
            for chosen, name in kept.items():
                assert set(unit.long_term.nearest(vector(1.0), chosen, 9)) == {event(name).id}
                assert set(unit.long_term.matching(["said"], chosen, 9)) == {event(name).id}

    def test_what_is_rare_is_so_among_the_personas_own(self, event_store: Store) -> None:
        mine = append(event_store, event("a"), event("b"))
        with of(event_store).unit() as unit:
            unit.long_term.put([derived(one, 1.0, text=text) for one, text in zip(mine, ("x", "y y"), strict=True)])
            before = unit.long_term.matching(["x", "y"], ANY_EVENT, 9)
        hers = append(event_store, *(event(f"s {n}", persona=SUBCONSCIOUS) for n in range(5)))
        with of(event_store, SUBCONSCIOUS).unit() as unit:
            unit.long_term.put([derived(one, 1.0, text="x") for one in hers])
        with of(event_store).reading() as unit:
            assert unit.long_term.matching(["x", "y"], ANY_EVENT, 9) == before

    def test_a_unit_that_fails_leaves_nothing_to_be_found(self, event_store: Store) -> None:
        (logged,) = append(event_store, event("a"))
        with pytest.raises(ZeroDivisionError), of(event_store).unit() as unit:
            unit.long_term.put([derived(logged, 1.0, text="gone")])
            assert unit.long_term.matching(["gone"], ANY_EVENT, 9)
            raise ZeroDivisionError
        with of(event_store).reading() as unit:
            assert unit.long_term.matching(["gone"], ANY_EVENT, 9) == {}
            assert unit.long_term.get([logged.event.id]) == {}

    def test_a_vector_of_another_dimension_is_refused(self, event_store: Store) -> None:
        (logged,) = append(event_store, event("a"))
        wrong = NewEntry(entry_of(logged, "a", DONE), bytes(4 * (EMBEDDING.dimension + 1)))
        with pytest.raises(WrongModel), of(event_store).unit() as unit:
            unit.long_term.put([wrong])

    def test_nobody_else_is_given_what_is_claimed(self, event_store: Store) -> None:
        append(event_store, *(event(f"e {n}") for n in range(PAGE + 5)))
        given: list[int] = []

        def work(_: int) -> None:
            after = -1
            while True:
                with of(event_store).unit() as unit:
                    claimed = unit.long_term.claim(after)
                    if not claimed:
                        return
                    unit.long_term.put([derived(one, 1.0) for one, _ in claimed])
                given.extend(one.position for one, _ in claimed)
                after = claimed[-1][0].position

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        assert sorted(given) == list(range(PAGE + 5)), "each once"


class ShortTermContract:
    """One summary for each loop, for one persona apart."""

    @pytest.mark.parametrize("count", [1, 9, 30], ids=str)
    def test_summaries_come_back_as_they_went_in(self, event_store: Store, count: int) -> None:
        runs = [append(event_store, *looped(f"loop {n}", 3)) for n in range(count)]
        new = [summary(run, f"Summary {n}") for n, run in enumerate(runs)]
        with of(event_store).unit() as unit:
            unit.short_term.put(new)
        with of(event_store).reading() as unit:
            assert unit.short_term.get(one.loop_id for one in new) == {one.loop_id: one for one in new}
            assert unit.short_term.get([]) == {}
            assert unit.short_term.claim(-1, 99) == []
            assert unit.short_term.remaining() == []

    def test_a_loop_that_went_on_is_summarised_again(self, event_store: Store) -> None:
        first, *rest = looped("a", 3)
        run = append(event_store, first)
        with of(event_store).unit() as unit:
            assert unit.short_term.claim(-1, 9) == [first.loop_id]
            unit.short_term.put([summary(run, "begun")])
            assert unit.short_term.claim(-1, 9) == []
        whole = [*run, *append(event_store, *rest)]
        with of(event_store).unit() as unit:
            assert unit.short_term.claim(-1, 9) == [first.loop_id]
            unit.short_term.put([summary(whole, "whole")])
            unit.short_term.put([summary(run, "too little")])
            unit.short_term.put([summary(whole, None, UNSUMMARISED)])
            assert unit.short_term.get([first.loop_id]) == {first.loop_id: summary(whole, "whole")}

    def test_what_failed_is_claimed_again(self, event_store: Store) -> None:
        run = append(event_store, *looped("a"))
        with of(event_store).unit() as unit:
            unit.short_term.put([summary(run, None, UNSUMMARISED)])
            (left,) = unit.short_term.remaining()
            assert (left.status, left.count, left.attempts, left.last_error) == ("pending_summary", 1, 2, "no model")
            assert unit.short_term.claim(-1, 9) == [run[0].event.loop_id]
            assert list(unit.short_term.window(9).texts) == []
            unit.short_term.put([summary(run)])
            assert unit.short_term.remaining() == []

    def test_claims_are_by_the_last_position(self, event_store: Store) -> None:
        a, b, c = looped("a"), looped("b"), looped("c")
        append(event_store, a[0], b[0], b[1], a[1], c[0])
        with of(event_store).unit() as unit:
            assert unit.short_term.claim(-1, 9) == [b[0].loop_id, a[0].loop_id, c[0].loop_id]
            assert unit.short_term.claim(-1, 2) == [b[0].loop_id, a[0].loop_id]
            assert unit.short_term.claim(2, 9) == [a[0].loop_id, c[0].loop_id]
            assert sum(one.count for one in unit.short_term.remaining()) == 3

    def test_the_window_is_of_the_last_loops(self, event_store: Store) -> None:
        runs = [append(event_store, *looped(f"loop {n}", start=10 * n)) for n in range(5)]
        with of(event_store).unit() as unit:
            before = unit.short_term.stamp(3)
            unit.short_term.put([summary(run, f"Der Größte: {n}!") for n, run in enumerate(runs)])
            window = unit.short_term.window(3)
            assert list(window.loop_ids) == [run[0].event.loop_id for run in reversed(runs[2:])]
            assert list(window.texts) == ["der grösste 4", "der grösste 3", "der grösste 2"]
            assert list(window.words) == [("actor_output", "public")] * 3
            assert window.last_seconds[0] == pytest.approx(runs[4][-1].event.ts.timestamp())
            assert unit.short_term.stamp(3) != before
            assert unit.short_term.stamp(3) == unit.short_term.stamp(3)

    def test_idle_loops_are_those_that_are_not_over(self, event_store: Store) -> None:
        open_one, ended = looped("open", 1), looped("ended")
        runs = [append(event_store, *events) for events in (open_one, ended)]
        with of(event_store).unit() as unit:
            unit.short_term.put([summary(run) for run in runs])
            assert unit.short_term.get([open_one[0].loop_id])[open_one[0].loop_id].phase is Phase.OPEN
            assert unit.short_term.idle(START + timedelta(hours=1), 9) == [open_one[0].loop_id]
            assert unit.short_term.idle(START - timedelta(hours=1), 9) == []

    def test_nothing_is_seen_of_the_other_persona(self, event_store: Store) -> None:
        run = append(event_store, event("s", persona=SUBCONSCIOUS, kind=EventKind.SUBCONSCIOUS_PROMPT))
        with of(event_store, SUBCONSCIOUS).unit() as unit:
            unit.short_term.put([summary(run)])
        with of(event_store).reading() as unit:
            assert unit.short_term.claim(-1, 9) == []
            assert unit.short_term.get([run[0].event.loop_id]) == {}
            assert unit.short_term.stamp(9) == (0, 0, 0)
            assert unit.short_term.remaining() == []
