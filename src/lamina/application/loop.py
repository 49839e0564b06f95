"""A loop that a user holds: one task, from what was asked to what came of it, every event logged as it happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, Self

from lamina.application.deriving import Derived, derive_loop
from lamina.application.logging_events import Standing, caught_up, log_events
from lamina.application.persona_memory import PersonaMemory
from lamina.domain.choices import choice
from lamina.domain.derivation import told
from lamina.domain.errors import UnknownRecord, WrongType
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_metadata import Json, Metadata, check_mapping
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.frozen import FrozenMap
from lamina.domain.loop_state import BEGINS, CALL, ENDS, INTERRUPTED, LoopState
from lamina.domain.outcome import Outcome

NOTHING: Final[Mapping[str, Json]] = FrozenMap()
PUBLIC: Final = EventVisibility.PUBLIC
Ended = Callable[[Sequence[Event]], None]
"""Is told the events of a loop that has ended."""


class Loop:
    """One loop. Each verb says what became of its event; what cannot come now is refused with the reason.

    Leaving it derives its long-term and short-term memory. Left by an error, or without an output, it is closed as
    interrupted: what happened stays written down.
    """

    def __init__(self, memory: PersonaMemory, standing: Standing, ended: Ended | None = None) -> None:
        self._memory = memory
        self._standing = standing
        self._told_end = ended

    @property
    def id(self) -> LoopId:
        """Which loop it is."""
        return self._standing.loop_id

    def tool_call(
        self, name: str, arguments: Mapping[str, Json] = NOTHING, *, visibility: str = EventVisibility.INTERNAL
    ) -> ToolCall:
        """A tool is called. Its result, or an error in its place, is due before the output."""
        metadata: dict[str, Json] = {"tool": name, "arguments": arguments}
        event = self._event(EventKind.TOOL_CALL, f"{name} {_said(arguments)}".strip(), metadata, visibility)
        return ToolCall(self, event, self._log(event))

    def error(
        self, error: str | Exception, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC
    ) -> Outcome:
        """Something went wrong. It is always taken."""
        said = told(error) if isinstance(error, Exception) else error
        return self._log(self._event(EventKind.ERROR, said, metadata, visibility))

    def system_event(self, text: str, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC) -> Outcome:
        """Something that is nobody's doing. It is always taken."""
        return self._log(self._event(EventKind.SYSTEM_EVENT, text, metadata, visibility))

    def append(self, events: Sequence[Event]) -> list[Outcome]:
        """Events that were made elsewhere, in one transaction: those that can come, in order."""
        _check_events(events)
        outcomes, self._standing = log_events(self._memory, self._standing, events)
        return outcomes

    def close(self) -> Derived:
        """Ends it, as interrupted if it has no output, and derives what is kept of it. Once is enough."""
        if not self._standing.state.phase.over and self._standing.seen >= 0:
            self._log(self._event(EventKind.SYSTEM_EVENT, "the loop was left without an output", INTERRUPTED))
        derived = derive_loop(self._memory, self.id)
        told_end, self._told_end = self._told_end, None
        if told_end:
            with self._memory.store.reading() as unit:
                run = unit.log.of_loops([self.id])
            told_end([one.event for one in run])
        return derived

    def _input(self, text: str, metadata: Mapping[str, Json], visibility: str) -> Outcome:
        return self._log(self._event(BEGINS[self._memory.persona], text, metadata, visibility))

    def _output(self, text: str, metadata: Mapping[str, Json], visibility: str) -> Outcome:
        return self._log(self._event(ENDS[self._memory.persona], text, metadata, visibility))

    def _event(
        self, kind: EventKind, content: str, metadata: Mapping[str, Json] = NOTHING, visibility: str = PUBLIC
    ) -> Event:
        return Event(
            id=EventId(self._memory.ids.new()),
            ts=self._memory.clock.now(),
            persona=self._memory.persona,
            loop_id=self.id,
            kind=kind,
            visibility=choice(EventVisibility, visibility, "visibility"),
            content=content,
            metadata=Metadata(metadata),
        )

    def _log(self, event: Event) -> Outcome:
        return self.append([event])[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._log(self._event(EventKind.ERROR, told(error)))
        self.close()


class ActorLoop(Loop):
    """A loop of the actor."""

    def user_input(self, text: str, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC) -> Outcome:
        """What was asked: a loop begins with it."""
        return self._input(text, metadata, visibility)

    def actor_output(self, text: str, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC) -> Outcome:
        """What came of it: a loop ends with it."""
        return self._output(text, metadata, visibility)


class SubconsciousLoop(Loop):
    """A loop of the subconscious, such as learning and dreaming."""

    def prompt(self, text: str, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC) -> Outcome:
        """What it set out to do."""
        return self._input(text, metadata, visibility)

    def output(self, text: str, metadata: Mapping[str, Json] = NOTHING, *, visibility: str = PUBLIC) -> Outcome:
        """What came of it."""
        return self._output(text, metadata, visibility)


class ToolCall:
    """A call on its way to its result."""

    def __init__(self, loop: Loop, event: Event, outcome: Outcome) -> None:
        self._loop = loop
        self._event = event
        self.outcome = outcome
        """What became of the call's own event."""

    @property
    def id(self) -> EventId:
        """The event's id: the result names it."""
        return self._event.id

    def result(self, value: Json, metadata: Mapping[str, Json] = NOTHING) -> Outcome:
        """What the tool gave: text as it is, anything else as JSON."""
        return self._answer(EventKind.TOOL_RESULT, value if isinstance(value, str) else _said(value), metadata)

    def error(self, error: str | Exception, metadata: Mapping[str, Json] = NOTHING) -> Outcome:
        """The tool failed: that is an answer too."""
        return self._answer(EventKind.ERROR, told(error) if isinstance(error, Exception) else error, metadata)

    def _answer(self, kind: EventKind, content: str, metadata: Mapping[str, Json]) -> Outcome:
        check_mapping(metadata)
        answer = {**metadata, "tool": self._event.metadata["tool"], CALL: str(self.id)}
        return self._loop._log(self._loop._event(kind, content, answer, self._event.visibility))  # noqa: SLF001 (its own)


def new_standing(memory: PersonaMemory) -> Standing:
    """A loop that is about to begin."""
    return Standing(LoopId(memory.ids.new()), LoopState(memory.persona))


def standing_of(memory: PersonaMemory, loop_id: LoopId) -> Standing:
    """Where a loop that is there stands: to go on with it."""
    with memory.store.reading() as unit:
        standing = caught_up(unit, Standing(loop_id, LoopState(memory.persona)))
    if standing.seen < 0:
        raise UnknownRecord(f"loop {loop_id}", "is not there", "go on with a loop of this agent, or open a new one")
    return standing


def _check_events(events: Sequence[Event]) -> None:
    if not isinstance(events, Sequence):
        raise WrongType("events", f"are a {type(events).__name__}", "give a list of them")
    for place, one in enumerate(events):
        if not isinstance(one, Event):
            raise WrongType(f"events[{place}]", f"is a {type(one).__name__}", "give an Event")


def _said(value: Json) -> str:
    if value is None or value == {}:
        return ""
    # By way of metadata: whatever that takes is JSON, and it says what is not.
    text = Metadata({"value": value}).text
    return json.dumps(json.loads(text)["value"], ensure_ascii=False)
