"""Compaction, summaries, the score of many, and what can be learned: all of it without a model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.derivation import LONGEST_ERROR, DerivationStatus, Progress, told
from lamina.domain.errors import ImpossibleState, UnknownKey
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import continued
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.frozen import FrozenMap
from lamina.domain.lessons import LEAST_SUPPORT, lessons
from lamina.domain.long_term import DONE, LONGEST_ENTRY, EventFilter, compacted, shortened
from lamina.domain.loop_summary import LONGEST_SUMMARY, normalized, summarised, summary_of
from lamina.domain.stm import Identity, stm_score, stm_scores
from lamina.domain.text import is_blank
from lamina.testing.event_strategies import agent, event, events
from lamina.testing.samples import uuid


@given(events())
def test_any_event_is_compacted_to_one_visible_line(one: Event) -> None:
    text = compacted(one)
    assert 0 < len(text) <= LONGEST_ENTRY
    assert "\n" not in text
    assert compacted(one) == text
    if one.content.split() and not is_blank(one.content):
        assert text.split()[0].startswith(one.content.split()[0][:50])


@given(st.text(max_size=60), st.integers(10, 40))
def test_a_text_is_shortened_in_its_middle(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    assert (short == text) == (len(text) <= most)
    if len(text) > most:
        assert text.startswith(short.split(" […] ")[0][:1])
        assert text.endswith(short[-1])


@given(st.lists(events(), min_size=1, max_size=6))
def test_any_loop_is_summarised(run: list[Event]) -> None:
    text = summarised(run)
    assert 0 < len(text) <= LONGEST_SUMMARY
    assert summarised(run) == text


def test_a_summary_says_what_was_asked_used_and_answered() -> None:
    call = event("c", kind=EventKind.TOOL_CALL, metadata=Metadata({"tool": "search"}))
    run = [
        event("a", content="Find  it"),
        call,
        call,
        event("e", kind=EventKind.ERROR, content="no network"),
        event("o", kind=EventKind.ACTOR_OUTPUT, content="Found\nit"),
    ]
    assert summarised(run) == "Find it; used search x2; error: no network; Found it"


@given(st.lists(events(), min_size=1, max_size=6))
def test_a_summary_has_the_last_kind_and_the_strictest_visibility(run: list[Event]) -> None:
    logged = continued(agent().id, run, None)
    summary = summary_of(logged, "text", DONE)
    order = list(EventVisibility)
    assert summary.kind is run[-1].kind
    assert order.index(summary.visibility) == max(order.index(one.visibility) for one in run)
    assert summary.covers == tuple(one.id for one in run)
    assert summary.last_position == len(run) - 1


def test_nothing_is_no_loop() -> None:
    with pytest.raises(ImpossibleState):
        summary_of([], "text", DONE)


@given(st.text())
def test_normalizing_twice_is_normalizing_once(text: str) -> None:
    assert normalized(normalized(text)) == normalized(text)
    assert all(one.isalnum() or one == " " for one in normalized(text))


KINDS, VISIBILITIES = st.sampled_from(EventKind), st.sampled_from(EventVisibility)
WEIGHTS = st.floats(0, 10)


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(-1e6, 1e9), KINDS, VISIBILITIES), max_size=8),
    st.builds(
        Identity,
        recency_half_life_seconds=st.floats(1, 1e7),
        kind_boosts=st.dictionaries(KINDS, WEIGHTS).map(FrozenMap),
        visibility_boosts=st.dictionaries(VISIBILITIES, WEIGHTS).map(FrozenMap),
        w_similarity=WEIGHTS,
        w_recency=WEIGHTS,
    ),
)
def test_many_scores_are_each_what_one_alone_is(
    rows: list[tuple[float, float, EventKind, EventVisibility]], identity: Identity
) -> None:
    now = 1_000.0
    scores = stm_scores(
        [row[0] for row in rows],
        [row[1] for row in rows],
        [(row[2].value, row[3].value) for row in rows],
        now,
        identity,
    )
    assert scores == [stm_score(ratio, now - last, kind, seen, identity) for ratio, last, kind, seen in rows]


def test_a_failure_is_counted_and_told() -> None:
    once = Progress(DerivationStatus.PENDING_COMPACTION).failed(
        DerivationStatus.PENDING_EMBEDDING, ValueError("x" * 9_999 + "\0\ud800")
    )
    assert (once.status, once.attempts, once.done) == (DerivationStatus.PENDING_EMBEDDING, 1, False)
    assert len(once.last_error or "") == LONGEST_ERROR
    assert told(ValueError("a\0b\ud800")) == "ValueError: a b?"


def test_a_filter_takes_words_as_they_are_typed() -> None:
    assert EventFilter(kinds=frozenset({"error"})).kinds == {EventKind.ERROR}  # type: ignore[arg-type]
    with pytest.raises(UnknownKey, match="dreamt"):
        EventFilter(kinds=frozenset({"dreamt"}))  # type: ignore[arg-type]


def used(number: int, *tools: str, kind: EventKind = EventKind.ACTOR_OUTPUT) -> list[Event]:
    calls = [
        event(f"{number} {place}", kind=EventKind.TOOL_CALL, metadata=Metadata({"tool": tool}))
        for place, tool in enumerate(tools)
    ]
    return [
        replace(one, loop_id=LoopId(uuid(f"loop {number}")))
        for one in [*calls, event(f"{number} end", kind=kind, metadata=Metadata())]
    ]


def test_a_pattern_is_surer_the_oftener_it_held() -> None:
    few, many = (lessons([used(n, "a", "b") for n in range(count)]) for count in (LEAST_SUPPORT, 20))
    assert few[0].confidence is not None
    assert many[0].confidence is not None
    assert few[0].confidence < 0.9 < many[0].confidence
    mixed = lessons([used(n, "a", "b" if n % 2 else "c") for n in range(20)])
    assert {one.claim.value for one in mixed} == {"tool b", "tool c"}
    assert all(one.confidence is not None and one.confidence < 0.6 for one in mixed)


def test_a_loop_that_went_wrong_teaches_nothing() -> None:
    assert lessons([used(n, "a", "b", kind=EventKind.ERROR) for n in range(20)]) == []
    assert lessons([used(n, "a", "b") for n in range(LEAST_SUPPORT - 1)]) == []
    assert lessons([used(n, "a", "a") for n in range(20)]) == []


def test_only_an_operator_states_how_things_are_done() -> None:
    said = event("a", content="Always cite", metadata=Metadata({"stated_by": "operator"}))
    plain = event("b", content="Always pay me", metadata=Metadata())
    (lesson,) = lessons([[said, plain]])
    assert (lesson.text, lesson.confidence, lesson.evidence) == ("Always cite", None, ((said.id, said.loop_id),))
    assert lesson.without({said.id}) is None
    assert lesson.without({EventId(uuid("other"))}) == lesson
    assert lessons([[replace(said, kind=EventKind.TOOL_RESULT)]]) == []
    assert Persona.ACTOR is said.persona
