"""The isolation kit: whatever the subconscious holds, the actor neither sees nor infers it.

    class TestMyStoreKeepsPersonasApart(IsolationKit):
        @pytest.fixture
        def isolated(self) -> Iterator[Isolated]: ...

The fixture gives an empty store for `lamina.domain.agents.CHAOS_AGENT` and the sample embedding, how to hear which
statements an act sends to the database, and what the subconscious's relations are called in them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from datetime import timedelta
from enum import Enum
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamina.application.backfill import backfill, derive
from lamina.application.event_tools import EventTools, PlainCompactor, PlainSummariser
from lamina.application.loop import Loop, new_standing
from lamina.application.persona_memory import PersonaMemory, persona_memory
from lamina.application.resources import Resources
from lamina.application.signals import RevisionSignals
from lamina.application.views import ActorMemoryView
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.anchor import Anchor
from lamina.domain.event import Event, EventId
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.loop_state import BEGINS, ENDS
from lamina.ports.store import Store
from lamina.testing.event_strategies import agent
from lamina.testing.plain_models import WordEmbedder, WordFuzzy, WordLexer, WordTokens
from lamina.testing.samples import START, uuid

ACTOR, SUBCONSCIOUS = Persona.ACTOR, Persona.SUBCONSCIOUS
EVER = (START - timedelta(days=20_000), START + timedelta(days=40_000))
WORDS = ("harbour", "light", "road", "bolt", "bridge", "tide")
MINE = "wqxz"
"""A word that only the subconscious says."""
_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow]
Said = tuple[Persona, list[str], bool]
"""A loop: whose it is, what was said in it, and whether it came to an output."""


@dataclass(frozen=True)
class Isolated:
    """What an adapter gives to be tested."""

    store: Store
    sent: Callable[[Callable[[], object]], Sequence[str]]
    """Runs an act, and gives the statements that it sent to the database, with their names written out."""
    forbidden: Sequence[str]
    """What no statement of the actor's may contain: the names of the subconscious's relations."""


def histories() -> st.SearchStrategy[list[Said]]:
    """What both personas lived through."""
    texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
    loop = st.tuples(st.sampled_from(Persona), st.lists(texts, min_size=1, max_size=4), st.booleans())
    return st.lists(loop, max_size=6)


class Clock:
    """Counts seconds, so that two runs of one history are the same."""

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> Any:
        """One second later each time."""
        self.ticks += 1
        return START + timedelta(seconds=self.ticks)


class Ids:
    """Counts, so that two runs of one history are the same."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def new(self) -> UUID:
        """The next one."""
        self.count += 1
        return uuid(f"{self.name} {self.count}")


def resources_of(store: Store, name: str = "isolation") -> Resources:
    """What acts on this store work with: small models, a clock and ids that count."""
    tokens = WordTokens()
    tools = EventTools(WordFuzzy(), tokens, PlainCompactor(), PlainSummariser())
    embedder, lexer = WordEmbedder(), WordLexer()
    return Resources(CHAOS_AGENT, store, embedder, lexer, Clock(), Ids(name), RevisionSignals(), tokens, tools)


def live(resources: Resources, whose: Anchor, history: Sequence[Said], only: Persona | None = None) -> list[Event]:
    """Lets both personas, or one, live through it; a loop without an output is left open. What was logged."""
    logged: list[Event] = []
    for number, (persona, texts, ended) in enumerate(history):
        if only in (None, persona):
            logged += _live(persona_memory(resources, whose, persona), number, texts, ended=ended)
    return logged


def _live(memory: PersonaMemory, number: int, texts: Sequence[str], *, ended: bool) -> list[Event]:
    loop = Loop(memory, new_standing(PersonaMemory(**{**_parts(memory), "ids": Ids(f"loop {number}")})))
    kinds = [BEGINS[memory.persona], *[EventKind.SYSTEM_EVENT] * len(texts)]
    events = [
        Event(
            id=EventId(uuid(f"event {number} {place}")),
            ts=START + timedelta(seconds=100 * number + place),
            persona=memory.persona,
            loop_id=loop.id,
            kind=kind,
            visibility=EventVisibility.PUBLIC,
            content=text,
            metadata=Metadata(),
        )
        for place, (kind, text) in enumerate(
            zip([*kinds[: len(texts)], *[ENDS[memory.persona]] * ended], [*texts, *["done"] * ended], strict=True)
        )
    ]
    for outcome in loop.append(events):
        outcome.require()
    return events


def _parts(memory: PersonaMemory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in PersonaMemory.__slots__}


def everything(view: ActorMemoryView, ids: Sequence[UUID]) -> list[object]:
    """All that the actor can find out, by every query there is."""
    return [
        [view.get_by_id(id_) for id_ in ids],
        list(view.get_range(*EVER)),
        [view.rag_query(text, limit=3) for text in ("harbour", "light road tide")],
        [view.fuzzy_query(text, limit=3) for text in ("bolt", "bridge light")],
        view.prompt("harbour bolt", budget=60),
    ]


class IsolationKit:
    """The three assertions that isolation is made of, and more, by property."""

    @settings(max_examples=10, deadline=None, suppress_health_check=_SHARED)
    @given(histories())
    def test_the_actor_cannot_tell_whether_the_subconscious_lived(
        self, isolated: Isolated, history: list[Said]
    ) -> None:
        # Two agents with one history of the actor's: only the first has a subconscious too.
        told = [_found_out(isolated, history, only) for only in (None, ACTOR)]
        assert told[0].answers == told[1].answers
        assert told[0].statements == told[1].statements, "the same statements, in the same number"

    def test_actor_retrieval_never_returns_rows_of_the_subconscious(self, isolated: Isolated) -> None:
        view, hers = _both_lived(isolated)
        assert [view.get_by_id(event.id) for event in hers] == [None] * len(hers)
        assert {event.persona for event in view.get_range(*EVER)} == {ACTOR}
        assert not {hit.entry.id for hit in view.rag_query(MINE, limit=99)} & {event.id for event in hers}
        assert not {hit.summary.loop_id for hit in view.fuzzy_query(MINE, limit=99)} & {one.loop_id for one in hers}

    def test_actor_queries_never_name_the_collection_of_the_subconscious(self, isolated: Isolated) -> None:
        view, hers = _both_lived(isolated)

        def act() -> None:
            everything(view, [event.id for event in hers])
            with view.do("harbour") as loop:
                loop.tool_call("search", {"for": "light"}).result("road")
                loop.error("bolt")
                loop.actor_output("bridge")

        statements = isolated.sent(act)
        assert any(isolated.forbidden[0].replace("subconscious", "actor") in one for one in statements), "it listens"
        for name in isolated.forbidden:
            assert not [one for one in statements if name in one]

    def test_the_actors_prompt_has_nothing_of_the_subconscious(self, isolated: Isolated) -> None:
        view, _ = _both_lived(isolated)
        whole = view.prompt(f"what of the harbour and {WORDS[1]}?", budget=100_000)
        assert "harbour" in "".join(whole.used)
        assert MINE not in whole.text
        assert not whole.dropped

    def test_an_id_of_the_subconscious_is_free(self, isolated: Isolated) -> None:
        view, hers = _both_lived(isolated)
        loop = view.do("harbour")
        (taken,) = loop.append([_as_actors(hers[0], loop)])
        assert taken.decision == "ADD"

    def test_nothing_of_the_view_names_the_other_persona(self, isolated: Isolated) -> None:
        view, _ = _both_lived(isolated)
        for name, verb in inspect.getmembers(view, callable):
            if not name.startswith("__"):
                assert "subconscious" not in name
                assert "persona" not in inspect.signature(verb).parameters
        for found in _reached(view):
            if isinstance(found, PersonaMemory):
                assert found.persona is ACTOR
            if isinstance(found, str | bytes):
                text = found.decode(errors="replace") if isinstance(found, bytes) else found
                assert not [name for name in isolated.forbidden if name in text], text


_RUNS = iter(range(1_000_000))


def _both_lived(isolated: Isolated) -> tuple[ActorMemoryView, list[Event]]:
    resources = resources_of(isolated.store)
    history: list[Said] = [
        (ACTOR, ["harbour light", "road"], True),
        (SUBCONSCIOUS, [f"{MINE} harbour light", f"{MINE} road"], True),
        (SUBCONSCIOUS, [f"{MINE} again"], False),
    ]
    whose = agent(f"both-{next(_RUNS)}")
    logged = live(resources, whose, history)
    backfill(resources, [whose])
    view = ActorMemoryView(persona_memory(resources_of(isolated.store, "later"), whose, ACTOR))
    return view, [event for event in logged if event.persona is SUBCONSCIOUS]


@dataclass(frozen=True)
class _FoundOut:
    answers: list[object]
    statements: list[str]


def _found_out(isolated: Isolated, history: Sequence[Said], only: Persona | None) -> _FoundOut:
    """All that the actor finds out after a history, of both personas or of its own alone, and how it asked."""
    whose, resources = agent(f"agent-{next(_RUNS)}"), resources_of(isolated.store)
    live(resources, whose, history, only)
    if only is None:
        backfill(resources, [whose])
    else:
        derive(persona_memory(resources, whose, ACTOR))
    view = ActorMemoryView(persona_memory(resources_of(isolated.store), whose, ACTOR))
    ids = [uuid(f"event {number} 0") for number in range(6)]
    answers: list[object] = []
    statements = isolated.sent(lambda: answers.extend(everything(view, ids)))
    return _FoundOut(answers, [_shape(one) for one in statements])


def _as_actors(event: Event, loop: Loop) -> Event:
    return Event(
        id=event.id,
        ts=event.ts,
        persona=ACTOR,
        loop_id=loop.id,
        kind=EventKind.SYSTEM_EVENT,
        visibility=event.visibility,
        content="the actor's own",
    )


def _shape(statement: str) -> str:
    """A statement without ids and numbers: what the two agents are called is no difference."""
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+", "?", statement)


def _reached(start: object) -> Iterator[object]:
    """Whatever can be reached from an object by attributes and items, as far as it is Lamina's own or plain data."""
    waiting, met = [start], set()
    while waiting:
        one = waiting.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        yield one
        waiting += _inside(one)


def _inside(one: object) -> list[object]:
    if isinstance(one, dict):
        return [*one.keys(), *one.values()]
    if isinstance(one, list | tuple | set | frozenset):
        return list(one)
    if inspect.ismethod(one):
        return [one.__self__]
    own = type(one).__module__.startswith("lamina") and not isinstance(one, Enum | type)
    if not own and not is_dataclass(one):
        return []
    slots = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*getattr(one, "__dict__", {}).values(), *(getattr(one, name, None) for name in slots)]
