"""What event memory cannot be asked or told: each a named error in the same words, on each back end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.errors import InvalidInput
from lamina.domain.event_chain import Link

EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))
NOBODY = str(UUID(int=3))
Amiss = Callable[[Any], object]


@pytest.fixture
def atlas(urls: Urls) -> Iterator[lamina.AnchoredMemory]:
    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, embedder=EMBEDDER) as memory:
        atlas = memory.at(agent_id="atlas")
        with atlas.do("Find the invoice of March") as loop:
            loop.actor_output("It is inv-3")
        yield atlas


ASKED: list[tuple[Amiss, str]] = [
    (lambda view: view.rag_query("kiln", limit=2.5), "limit is 2.5; give a whole number"),
    (lambda view: view.rag_query("kiln", limit=2.0), "limit is 2; give a whole number"),
    (lambda view: view.rag_query("kiln", limit=True), "limit is a bool; give a whole number"),
    (lambda view: view.fuzzy_query("kiln", limit=2.5), "limit is 2.5; give a whole number"),
    (lambda view: view.rag_query("kiln", None), "filters are a NoneType; give an EventFilter"),
    (lambda view: view.rag_query("kiln", "tool_call"), "filters are a str"),
    (lambda view: view.rag_query("kiln", {}), "filters are a dict"),
    (lambda view: view.fuzzy_query("kiln", "x"), "heuristics are a str; give an Identity"),
    (lambda view: view.fuzzy_query("kiln", {}), "heuristics are a dict; give an Identity"),
    (lambda view: view.get_by_id("abc"), "event_id is a str; give a UUID"),
    (lambda view: view.get_by_id(NOBODY), "event_id is a str; give a UUID"),
    (lambda view: view.get_by_id(None), "event_id is a NoneType"),
    (lambda view: view.get_by_id([]), "event_id is a list"),
]


@pytest.mark.parametrize(("asked", "says"), ASKED)
def test_a_view_cannot_be_asked_that(atlas: lamina.AnchoredMemory, asked: Amiss, says: str) -> None:
    for view in (atlas.actor_view(), atlas.subconscious_view()):
        with pytest.raises(InvalidInput, match=says):
            asked(view)


FILTERS: list[tuple[dict[str, Any], str]] = [
    ({"kinds": 3}, "event kind is a int; give some of user_input, "),
    ({"kinds": None}, "event kind is a NoneType"),
    ({"visibilities": 3}, "visibility is a int; give some of public, internal, private"),
    ({"loop_id": "abc"}, "loop_id is a str; give a UUID"),
    ({"loop_id": NOBODY}, "loop_id is a str; give a UUID"),
    ({"loop_id": 0}, "loop_id is a int"),
]


@pytest.mark.parametrize(("how", "says"), FILTERS)
def test_there_is_no_such_filter(how: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        lamina.EventFilter(**how)


def test_the_name_of_a_kind_or_of_a_persona_does_as_well(atlas: lamina.AnchoredMemory) -> None:
    named: Any = lamina.EventFilter(kinds="user_input")  # type: ignore[arg-type]
    assert [hit.entry.kind for hit in atlas.actor_view().rag_query("invoice", named)] == ["user_input"]
    view: Any = atlas.subconscious_view()
    assert len(list(view.get_range(*EVER, "actor"))) == 2
    assert len(list(view.get_range(*EVER, ["actor", "actor"]))) == 2


def test_it_is_said_whomever_the_question_is_to(atlas: lamina.AnchoredMemory) -> None:
    view: Any = atlas.subconscious_view()
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: view.rag_query("kiln", personas=None), "persona is a NoneType; give some of actor, subconscious"),
        (lambda: view.fuzzy_query("kiln", personas=3), "persona is a int"),
        (lambda: view.get_range(*EVER, personas=["nobody"]), "persona 'nobody' is not known"),
        (lambda: view.rag_query("kiln", limit="x", personas=[]), "limit is a str"),
        (lambda: view.fuzzy_query("kiln", limit=2.5, personas=[]), "limit is 2.5"),
        (lambda: view.get_by_id("abc", personas=[]), "event_id is a str"),
    ]
    for asked, says in cases:
        with pytest.raises(InvalidInput, match=says):
            asked()


TOLD: list[tuple[Amiss, str]] = [
    (lambda atlas: atlas.loop("abc"), "loop_id is a str; give a UUID"),
    (lambda atlas: atlas.loop(""), "loop_id is a str; give a UUID"),
    (lambda atlas: atlas.actor_view().loop(3), "loop_id is a int"),
    (lambda atlas: atlas.actor_view().prompt("kiln", 2_000.5), "token budget is 2000.5; give a whole number"),
    (lambda atlas: atlas.actor_view().prompt("kiln", 10**30), "token budget is beyond 1e"),
    (lambda atlas: atlas.do("go").tool_call("look").result("x", None), "metadata is a NoneType; give a mapping"),
    (lambda atlas: atlas.do("go").tool_call("look").error("x", "y"), "metadata is a str; give a mapping"),
    (lambda atlas: atlas.do("go").append(None), "events are a NoneType; give a list of them"),
    (lambda atlas: atlas.do("go").append(iter(())), "events are a tuple_iterator"),
    (lambda atlas: atlas.do("go").append([None]), r"events\[0\] is a NoneType; give an Event"),
    (lambda atlas: atlas.backfill(interrupted_after=3), "interrupted_after is a int; give a timedelta"),
    (lambda atlas: atlas.backfill(interrupted_after=timedelta.max), "interrupted_after is .*; give a duration from"),
    (lambda atlas: atlas.backfill(interrupted_after=timedelta(-1)), "interrupted_after is -1 day"),
    (lambda atlas: atlas.dream(abandoned_after=3), "abandoned_after is a int; give a timedelta"),
    (lambda atlas: atlas.dream(abandoned_after=timedelta.max), "abandoned_after is .*; give a duration from"),
    (lambda atlas: atlas.verify(None), "noted is a NoneType; give a Link for each persona"),
    (lambda atlas: atlas.verify({"actor": 3}), "noted end of actor is a int; give the Link"),
    (lambda atlas: atlas.verify({"nobody": Link(0, bytes(32))}), "persona 'nobody' is not known"),
    (lambda _: Link("0", bytes(32)), "position in a chain is a str"),  # type: ignore[arg-type]
    (lambda _: Link(0, "0" * 32), "hash in a chain is a str"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("amiss", "says"), TOLD)
def test_a_verb_cannot_be_told_that(atlas: lamina.AnchoredMemory, amiss: Amiss, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        amiss(atlas)


class SpeechlessError(Exception):
    """Fails even to say what happened."""

    def __str__(self) -> str:
        raise RuntimeError


def test_an_error_that_cannot_say_what_it_is_is_logged_all_the_same(atlas: lamina.AnchoredMemory) -> None:
    with pytest.raises(SpeechlessError), atlas.do("go on") as loop:
        raise SpeechlessError
    errors = atlas.actor_view().rag_query("happened", lamina.EventFilter(kinds=frozenset({lamina.EventKind.ERROR})))
    assert [hit.entry.text for hit in errors if hit.entry.loop_id == loop.id] == [
        "SpeechlessError: it cannot say what happened"
    ]
