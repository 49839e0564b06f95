"""What may happen next in a loop."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.event import Event, EventId
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, Persona
from lamina.domain.loop_state import ALWAYS, BEGINS, CALL, ENDS, INTERRUPTED, LoopState, Phase, state_after
from lamina.domain.refusal import Refusal
from lamina.testing.event_strategies import event


def made(kind: EventKind, call: EventId | None = None, persona: Persona = Persona.ACTOR) -> Event:
    metadata = Metadata({CALL: str(call)} if call else {})
    return replace(event("x"), id=EventId(uuid4()), kind=kind, persona=persona, metadata=metadata)


@st.composite
def attempts(draw: st.DrawFn, persona: Persona) -> list[Event]:
    """Any sequence, in which results often name a call that came before."""
    events: list[Event] = []
    for kind in draw(st.lists(st.sampled_from(EventKind), max_size=12)):
        calls = [one.id for one in events if one.kind is EventKind.TOOL_CALL]
        call = draw(st.sampled_from([None, *calls])) if calls else None
        answers = kind in (EventKind.TOOL_RESULT, EventKind.ERROR)
        events.append(made(kind, call if answers else None, persona))
    return events


def taken(persona: Persona, events: list[Event]) -> tuple[list[Event], LoopState]:
    state = LoopState(persona)
    kept: list[Event] = []
    for one in events:
        following = state.after(one)
        if not isinstance(following, Refusal):
            state, kept = following, [*kept, one]
    return kept, state


@pytest.mark.parametrize("persona", Persona)
@given(st.data())
def test_what_is_taken_is_always_a_loop(persona: Persona, data: st.DataObject) -> None:
    events = data.draw(attempts(persona))
    kept, state = taken(persona, events)
    ordered = [one.kind for one in kept if one.kind not in ALWAYS]
    # Said once more, in other words than the code's: an input first, an output last, each of them once.
    assert ordered[:1] in ([], [BEGINS[persona]])
    assert ordered.count(BEGINS[persona]) == min(1, len(ordered))
    assert ENDS[persona] not in ordered[:-1]
    assert set(ordered) <= {BEGINS[persona], ENDS[persona], EventKind.TOOL_CALL, EventKind.TOOL_RESULT}
    results = [str(one.metadata[CALL]) for one in kept if one.kind is EventKind.TOOL_RESULT]
    calls = [str(one.id) for one in kept if one.kind is EventKind.TOOL_CALL]
    assert len(set(results)) == len(results)
    assert set(results) <= set(calls)
    answered = {str(one.metadata[CALL]) for one in kept if CALL in one.metadata}
    if ENDS[persona] in ordered:
        assert set(calls) <= answered
        assert state.phase is Phase.ENDED
    assert state == state_after(persona, kept)


@given(st.data())
def test_an_error_and_a_system_event_are_always_taken(data: st.DataObject) -> None:
    events = data.draw(attempts(Persona.ACTOR))
    kept, _ = taken(Persona.ACTOR, events)
    assert [one for one in events if one.kind in ALWAYS] == [one for one in kept if one.kind in ALWAYS]


@given(st.data())
def test_a_refusal_says_why(data: st.DataObject) -> None:
    state = LoopState(Persona.ACTOR)
    for one in data.draw(attempts(Persona.ACTOR)):
        following = state.after(one)
        if isinstance(following, Refusal):
            assert following.rule == "loop"
            assert following.reason
        else:
            state = following


def test_an_interruption_ends_a_loop_and_a_loop_that_is_over_stays_as_it_is() -> None:
    closing = replace(made(EventKind.SYSTEM_EVENT), metadata=INTERRUPTED)
    begun = state_after(Persona.ACTOR, [made(EventKind.USER_INPUT)])
    assert begun.phase is Phase.OPEN
    assert state_after(Persona.ACTOR, [closing], begun).phase is Phase.INTERRUPTED
    ended = state_after(Persona.ACTOR, [made(EventKind.ACTOR_OUTPUT)], begun)
    assert state_after(Persona.ACTOR, [closing], ended).phase is Phase.ENDED
    late = state_after(Persona.ACTOR, [closing], begun).after(made(EventKind.TOOL_CALL))
    assert isinstance(late, Refusal)
    assert "after the loop was interrupted" in late.reason


@pytest.mark.parametrize("persona", Persona)
def test_what_happens_to_the_other_persona_is_refused(persona: Persona) -> None:
    other = next(one for one in Persona if one is not persona)
    for kind in (BEGINS[other], ENDS[other]):
        refused = LoopState(persona).after(made(kind, persona=persona))
        assert isinstance(refused, Refusal)
        assert "does not happen to" in refused.reason
