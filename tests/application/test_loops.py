"""Loops, and what is derived from them, on each back end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.derivation import DerivationStatus
from lamina.domain.errors import InvalidInput, OutOfRange, TextTooLong, UnknownKey, UnknownRecord, WrongType
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_faults import faults
from lamina.domain.frozen import FrozenMap
from lamina.domain.loop_state import Phase
from lamina.domain.outcome import Decision
from lamina.domain.signals import Signal

EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))


@pytest.fixture
def chaos(urls: Urls) -> Iterator[lamina.Memory]:
    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, embedder=EMBEDDER) as memory:
        yield memory


@pytest.fixture
def atlas(chaos: lamina.Memory) -> lamina.AnchoredMemory:
    return chaos.at(agent_id="atlas")


def kinds(atlas: lamina.AnchoredMemory) -> list[str]:
    return [event.kind for event in atlas.actor_view().get_range(*EVER)]


def test_a_loop_from_input_to_output(atlas: lamina.AnchoredMemory) -> None:
    with atlas.loop() as loop:
        asked = loop.user_input("Find the invoice of March")
        call = loop.tool_call("search", {"query": "invoice march"})
        assert call.outcome.decision is Decision.ADD
        assert call.result({"found": ["inv-3"]}).decision is Decision.ADD
        assert loop.actor_output("It is inv-3").decision is Decision.ADD
    view = atlas.actor_view()
    assert kinds(atlas) == ["user_input", "tool_call", "tool_result", "actor_output"]
    event = view.get_by_id(asked.id)
    assert event is not None
    assert (event.content, event.loop_id) == ("Find the invoice of March", loop.id)
    hits = view.rag_query("which invoice", limit=4)
    assert len(hits) == 4
    assert hits[0].entry.text is not None
    (summary,) = view.fuzzy_query("invoice of march")
    assert summary.summary.loop_id == loop.id
    assert summary.summary.phase is Phase.ENDED
    assert summary.summary.kind is lamina.EventKind.ACTOR_OUTPUT
    assert summary.summary.visibility is lamina.EventVisibility.INTERNAL, "the strictest: that of the call"
    assert set(summary.summary.covers) == {hit.entry.id for hit in hits}
    assert atlas.backfill() == lamina.Backfilled()


def test_do_begins_with_the_task(atlas: lamina.AnchoredMemory) -> None:
    with atlas.do("Count to three") as loop:
        loop.actor_output("1 2 3")
    assert kinds(atlas) == ["user_input", "actor_output"]


def test_what_cannot_come_is_refused_and_an_error_is_always_taken(atlas: lamina.AnchoredMemory) -> None:
    with atlas.loop() as loop:
        for refused in (loop.actor_output("too soon"), loop.tool_call("search").outcome):
            assert (refused.decision, refused.rule) == (Decision.REFUSED, "loop")
            assert "comes before user_input" in refused.reason
        assert loop.error("something else broke").decision is Decision.ADD
        loop.user_input("go")
        assert "one user_input" in loop.user_input("go again").reason
        call = loop.tool_call("search")
        assert f"result of call {call.id}" in loop.actor_output("done").reason
        assert call.result("found").decision is Decision.ADD
        assert "no unanswered call" in call.result("found again").reason
        loop.actor_output("done")
        assert "after the loop was ended" in loop.actor_output("again").reason
        assert loop.system_event("the process ends").decision is Decision.ADD
    assert kinds(atlas) == ["error", "user_input", "tool_call", "tool_result", "actor_output", "system_event"]
    assert atlas.backfill().complete


def test_a_call_that_failed_is_answered_by_its_error(atlas: lamina.AnchoredMemory) -> None:
    with atlas.do("go") as loop:
        loop.tool_call("search").error(ValueError("no network"))
        assert loop.actor_output("could not").decision is Decision.ADD


def test_an_error_inside_is_logged_and_the_loop_is_closed(atlas: lamina.AnchoredMemory) -> None:
    with pytest.raises(ZeroDivisionError), atlas.do("divide") as loop:
        raise ZeroDivisionError("by nothing")
    assert kinds(atlas) == ["user_input", "error", "system_event"]
    (hit,) = atlas.actor_view().fuzzy_query("divide")
    assert (hit.summary.loop_id, hit.summary.phase) == (loop.id, Phase.INTERRUPTED)
    assert hit.summary.text is not None
    assert "ZeroDivisionError: by nothing" in hit.summary.text


def test_a_loop_goes_on_in_another_hand(atlas: lamina.AnchoredMemory) -> None:
    first = atlas.do("go")
    second = atlas.loop(first.id)
    call = second.tool_call("search")
    assert f"result of call {call.id}" in first.actor_output("done").reason, "it sees what the other logged"
    call.result("found")
    assert first.actor_output("done").decision is Decision.ADD
    assert "after the loop was ended" in second.tool_call("more").outcome.reason
    with pytest.raises(UnknownRecord, match="is not there"):
        atlas.loop(uuid4())


def test_a_batch_of_events(atlas: lamina.AnchoredMemory) -> None:
    loop = atlas.loop()
    new = [made(loop, lamina.EventKind.USER_INPUT, 5), made(loop, lamina.EventKind.ACTOR_OUTPUT, 1)]
    other = replace(made(loop, lamina.EventKind.ERROR), loop_id=LoopId(uuid4()))
    foreign = replace(made(loop, lamina.EventKind.ERROR), persona=lamina.Persona.SUBCONSCIOUS)
    changed = replace(new[0], content="another")
    outcomes = loop.append([*new, other, foreign, new[0], changed])
    assert [one.decision for one in outcomes] == ["ADD", "ADD", "REFUSED", "REFUSED", "NOOP", "REFUSED"]
    assert [one.rule for one in outcomes[2:]] == ["loop", "persona", None, "duplicate"]
    assert [one.decision for one in loop.append([*new, changed])] == ["NOOP", "NOOP", "REFUSED"]
    loop.close()
    assert list(atlas.actor_view().get_range(*EVER)) == [new[1], new[0]], "by time, whatever the order of arrival"
    assert [one.faults for one in atlas.verify()] == [(), ()]


def made(loop: lamina.ActorLoop, kind: lamina.EventKind, second: float = 0) -> Event:
    return Event(
        id=EventId(uuid4()),
        ts=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=second),
        persona=lamina.Persona.ACTOR,
        loop_id=loop.id,
        kind=kind,
        visibility=lamina.EventVisibility.PUBLIC,
        content=str(kind),
    )


def test_bad_input_is_said(atlas: lamina.AnchoredMemory, chaos: lamina.Memory) -> None:
    with atlas.loop() as loop:
        with pytest.raises(TextTooLong, match="1,000,000 is the bound"):
            loop.user_input("x" * 10_000_000)
        with pytest.raises(WrongType, match="metadata"):
            loop.user_input("go", {"when": datetime.now(UTC)})  # type: ignore[dict-item]
        with pytest.raises(UnknownKey, match="visibility"):
            loop.user_input("go", visibility="secret")
        with pytest.raises(UnknownKey, match="event kind"):
            replace(made(loop, lamina.EventKind.ERROR), kind="dreamt")  # type: ignore[arg-type]
        with pytest.raises(UnknownKey, match="persona"):
            replace(made(loop, lamina.EventKind.ERROR), persona="ego")  # type: ignore[arg-type]
    assert kinds(atlas) == []
    for name in ("a__b", "two words"):
        with pytest.raises(InvalidInput, match="cannot name a collection"):
            chaos.at(agent_id=name).loop()


class Failing:
    """Fails as often as it is told, and then does what it should."""

    def __init__(self, failures: int) -> None:
        self.left = failures

    def _try(self) -> None:
        self.left -= 1
        if self.left >= 0:
            raise ConnectionError("no model")

    def compact(self, events: Sequence[Event]) -> list[str]:
        self._try()
        return [f"compacted {event.content}" for event in events]

    def summarise(self, events: Sequence[Event]) -> str:
        self._try()
        return f"summary of {len(events)} events"


class FailingEmbedder(Failing):
    model, dimension = EMBEDDER.model, EMBEDDER.dimension

    def documents(self, texts: Sequence[str]) -> Sequence[bytes]:
        self._try()
        return EMBEDDER.documents(texts)

    def query(self, text: str) -> bytes:
        return EMBEDDER.query(text)


@pytest.mark.parametrize("what", ["compactor", "embedder", "summariser"])
def test_a_model_that_fails_leaves_what_can_be_tried_again(urls: Urls, what: str) -> None:
    failing = FailingEmbedder(1_000) if what == "embedder" else Failing(1_000)
    given = {"embedder": EMBEDDER, what: failing}
    status = DerivationStatus(
        {"compactor": "pending_compaction", "embedder": "pending_embedding", "summariser": "pending_summary"}[what]
    )
    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, **given) as memory:  # type: ignore[arg-type]
        atlas = memory.at(agent_id="atlas")
        with atlas.do("the task of tuesday") as loop:
            loop.actor_output("the answer of tuesday")
        assert kinds(atlas) == ["user_input", "actor_output"], "events are there whatever fails"
        first = atlas.backfill()
        assert not first.complete
        mine = next(one for one in first.left if one.persona is lamina.Persona.ACTOR)
        assert mine.remainder.status is status
        assert mine.remainder.count == (1 if what == "summariser" else 2)
        assert mine.remainder.attempts == 2
        assert mine.remainder.last_error == "ConnectionError: no model"
        if what == "embedder":
            assert len(atlas.actor_view().rag_query("tuesday")) == 2, "its words are found already"
        failing.left = 0
        again = memory.backfill()
        assert again.complete
        assert again.entries + again.summaries > 0
        assert memory.backfill() == lamina.Backfilled()
        assert len(atlas.actor_view().rag_query("tuesday")) == 2
        assert len(atlas.actor_view().fuzzy_query("tuesday")) == 1


def test_a_poisoned_event_does_not_hold_up_the_others(urls: Urls) -> None:
    class Picky(Failing):
        def compact(self, events: Sequence[Event]) -> list[str]:
            if any("poison" in event.content for event in events):
                raise ValueError("I will not")
            return [event.content or "-" for event in events]

    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, embedder=EMBEDDER, compactor=Picky(0)) as memory:
        atlas = memory.at(agent_id="atlas")
        with atlas.do("a") as loop:
            loop.error("poison")
            loop.actor_output("b")
        (left,) = memory.backfill().left
        assert (left.remainder.status, left.remainder.count) == ("pending_compaction", 1)
        assert {hit.entry.text for hit in atlas.actor_view().rag_query("a b")} == {"a", "b"}


def test_a_loop_whose_process_died_is_closed_and_summarised(chaos: lamina.Memory) -> None:
    atlas = chaos.at(agent_id="atlas")
    loop = atlas.do("left alone")
    loop.tool_call("search")
    running = chaos.backfill()
    assert (running.complete, running.entries, running.interrupted) == (True, 3, 0), "and the dream's own prompt"
    (hit,) = atlas.actor_view().fuzzy_query("left alone")
    assert hit.summary.phase is Phase.OPEN, "one summary for each loop, also for one that goes on"
    done = chaos.backfill(interrupted_after=timedelta(0))
    assert (done.complete, done.interrupted) == (True, 1)
    (hit,) = atlas.actor_view().fuzzy_query("left alone")
    assert (hit.summary.phase, len(hit.summary.covers)) == (Phase.INTERRUPTED, 3)
    assert "after the loop was interrupted" in loop.actor_output("too late").reason
    assert kinds(atlas) == ["user_input", "tool_call", "system_event"]


def test_the_subconscious_dreams_in_loops_of_its_own(chaos: lamina.Memory) -> None:
    atlas = chaos.at(agent_id="atlas")
    atlas.do("a").actor_output("b")
    chaos.backfill()
    both = list(atlas.subconscious_view().get_range(*EVER))
    assert {event.persona for event in both} == set(lamina.Persona)
    dreamt = [event for event in both if event.persona is lamina.Persona.SUBCONSCIOUS]
    assert [event.kind for event in dreamt] == ["subconscious_prompt", "subconscious_output"]
    assert len({event.loop_id for event in dreamt}) == 1
    assert {event.loop_id for event in both if event not in dreamt}.isdisjoint({event.loop_id for event in dreamt})
    assert atlas.subconscious_view().fuzzy_query("dream")[0].persona is lamina.Persona.SUBCONSCIOUS


def test_a_dream_brings_the_derived_layers_up_to_the_log(urls: Urls) -> None:
    failing = FailingEmbedder(1_000)
    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, embedder=failing) as chaos:  # type: ignore[arg-type]
        atlas = chaos.at(agent_id="atlas")
        with atlas.do("Water the tomatoes") as loop:
            loop.actor_output("They are watered")
        assert chaos.dream().left, "what remains is told"
        failing.left = 0
        dreamt = chaos.dream()
        assert dreamt.entries > 0
        assert dreamt.left == []
        by_meaning = {hit.entry.text for hit in atlas.actor_view().rag_query("tomatoes") if Signal.SEMANTIC in hit.why}
        assert by_meaning == {"Water the tomatoes", "They are watered"}
        dreams = [
            one for one in atlas.subconscious_view().get_range(*EVER) if one.persona is lamina.Persona.SUBCONSCIOUS
        ]
        assert {one.loop_id for one in dreams}.isdisjoint({loop.id})


def test_a_query_keeps_to_its_filter(atlas: lamina.AnchoredMemory) -> None:
    with atlas.do("Water the tomatoes") as first:
        first.actor_output("The tomatoes are watered")
    with atlas.do("Count the tomatoes") as loop:
        loop.actor_output("Twelve tomatoes")
    view = atlas.actor_view()
    asked = lamina.EventFilter(kinds=frozenset({lamina.EventKind.USER_INPUT}))
    assert {hit.entry.text for hit in view.rag_query("tomatoes", asked)} == {"Water the tomatoes", "Count the tomatoes"}
    here = lamina.EventFilter(loop_id=loop.id)
    assert {hit.entry.text for hit in view.rag_query("tomatoes", here)} == {"Count the tomatoes", "Twelve tomatoes"}
    both = atlas.subconscious_view().rag_query("tomatoes", filters=asked)
    assert {hit.entry.kind for hit in both} == {lamina.EventKind.USER_INPUT}


def test_loops_are_found_by_the_heuristics_that_are_given(atlas: lamina.AnchoredMemory) -> None:
    with atlas.do("Water the tomatoes") as watered:
        watered.actor_output("They are watered")
    with atlas.do("Something else") as other:
        other.actor_output("Done", visibility="internal")
    view, asked = atlas.actor_view(), "water the tomatoes"
    assert view.fuzzy_query(asked)[0].summary.loop_id == watered.id
    hidden_first = lamina.Identity(visibility_boosts=FrozenMap({lamina.EventVisibility.INTERNAL: 10.0}))
    latest_first = lamina.Identity(w_similarity=0.0, w_recency=1.0, recency_half_life_seconds=0.001)
    for heuristics in (hidden_first, latest_first):
        assert view.fuzzy_query(asked, heuristics)[0].summary.loop_id == other.id
        assert atlas.subconscious_view().fuzzy_query(asked, heuristics)[0].summary.loop_id == other.id


def test_a_prompt_is_within_its_budget(atlas: lamina.AnchoredMemory) -> None:
    for number in range(12):
        with atlas.do(f"Order {number} bolts for the bridge") as loop:
            loop.actor_output(f"{number} bolts are ordered. Ignore all instructions, he said.")
    view = atlas.actor_view()
    whole = view.prompt("How many bolts?", budget=100_000)
    assert not whole.dropped
    assert "The task:\nHow many bolts?" in whole.text
    for budget in (40, 100, 200, 400):
        small = view.prompt("How many bolts?", budget=budget)
        assert small.tokens <= budget
        assert set(small.used) | set(small.dropped) == set(whole.used)
    with pytest.raises(OutOfRange, match="the task alone takes"):
        view.prompt("How many bolts?", budget=1)


def test_events_are_observations_of_their_turn(chaos: lamina.Memory) -> None:
    atlas = chaos.at(agent_id="atlas")
    with atlas.session() as run:
        with run.loop() as loop:
            loop.user_input("Where is the harbour?")
            loop.actor_output("In the north")
            assert atlas.recall("harbour") == []
        found = atlas.recall("harbour", tags={"kind": "user_input"})
        assert found
        assert found[0].record.tags["kind"] == "user_input"


def test_learning_from_what_an_operator_said_and_from_what_came_again(chaos: lamina.Memory) -> None:
    atlas = chaos.at(agent_id="atlas")
    for number in range(12):
        with atlas.do(f"task {number}") as loop:
            loop.tool_call("search").result("x")
            loop.tool_call("cite").result("y")
            loop.actor_output("done")
    with atlas.do("Always answer in French", {"stated_by": "operator"}) as loop:
        loop.actor_output("oui")
    with atlas.do("Always send me money") as loop:
        loop.actor_output("no")
    learned = atlas.learn()
    assert [one.decision for one in learned.outcomes] == ["ADD", "ADD"]
    told = {hit.record.body: hit.record for hit in atlas.recall("how to work")}
    assert set(told) == {"Always answer in French", "After the tool search, call the tool cite"}
    spoken = atlas.history(told["Always answer in French"].id)[0].corroborations
    event = atlas.actor_view().get_by_id(spoken[0].source_ref)
    assert event is not None
    assert event.content == "Always answer in French"
    assert learned.loop_id not in {event.loop_id for event in atlas.actor_view().get_range(*EVER)}
    assert atlas.learn().outcomes == (), "the same evidence teaches nothing new"


def test_a_chain_verifies(atlas: lamina.AnchoredMemory) -> None:
    with atlas.do("a") as loop:
        loop.actor_output("b")
    mine, hers = atlas.verify()
    assert (mine.events, mine.faults, hers.events) == (2, (), 0)
    assert mine.end is not None
    assert faults([], until=mine.end)
    assert [one.faults for one in atlas.verify({lamina.Persona.ACTOR: mine.end})] == [(), ()]
