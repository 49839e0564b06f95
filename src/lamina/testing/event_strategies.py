"""Events to test with: plain ones that are the same on every run, and Hypothesis strategies for any."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from hypothesis import strategies as st

from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.anchor import Anchor
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.testing.samples import START, uuid
from lamina.testing.strategies import instants, storable_characters

SECOND: Final = timedelta(seconds=1)


def agent(agent_id: str = "atlas") -> Anchor:
    """An anchor of the spec with event memory."""
    return CHAOS_AGENT.persistent_anchor.bind({"agent_id": agent_id})


def event(name: str, second: float = 0, **parts: Any) -> Event:
    """An event of the actor that goes by this name; anything about it can be said otherwise."""
    one = Event(
        id=EventId(uuid(name)),
        ts=START + second * SECOND,
        persona=Persona.ACTOR,
        loop_id=LoopId(uuid("loop")),
        kind=EventKind.USER_INPUT,
        visibility=EventVisibility.PUBLIC,
        content=f"“{name}” ✓",
        metadata=Metadata({"name": name}),
    )
    return replace(one, **parts)


def metadata() -> st.SearchStrategy[Metadata]:
    """Any that JSON can say, in one another."""
    text = st.text(storable_characters, max_size=10)
    scalar = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
    value = st.recursive(scalar, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=6)
    return st.dictionaries(text, value, max_size=4).map(Metadata)


def events(persona: Persona = Persona.ACTOR) -> st.SearchStrategy[Event]:
    """Any event of a persona."""
    return st.builds(
        Event,
        id=st.uuids().map(EventId),
        ts=instants(),
        persona=st.just(persona),
        loop_id=st.uuids().map(LoopId),
        kind=st.sampled_from(EventKind),
        visibility=st.sampled_from(EventVisibility),
        content=st.text(storable_characters, max_size=200),
        metadata=metadata(),
    )
