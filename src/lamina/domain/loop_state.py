"""What may happen next in a loop (C): an input, any number of calls with their results, an output, and then nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lamina.domain.event import Event
from lamina.domain.event_metadata import Json, Metadata
from lamina.domain.events import EventKind, Persona
from lamina.domain.refusal import Refusal

RULE: Final = "loop"
CALL: Final = "call"
"""In the metadata of a result, or of an error in its place: the id of the call that it answers."""
LOOP: Final = "loop"
INTERRUPTED: Final = Metadata({LOOP: "interrupted"})
"""The metadata of the system event that closes a loop whose process died."""
BEGINS: Final = {Persona.ACTOR: EventKind.USER_INPUT, Persona.SUBCONSCIOUS: EventKind.SUBCONSCIOUS_PROMPT}
ENDS: Final = {Persona.ACTOR: EventKind.ACTOR_OUTPUT, Persona.SUBCONSCIOUS: EventKind.SUBCONSCIOUS_OUTPUT}
FOREIGN: Final = {
    persona: frozenset(kinds[other] for kinds in (BEGINS, ENDS) for other in Persona if other is not persona)
    for persona in Persona
}
"""What only ever happens to the other persona."""
ALWAYS: Final = frozenset({EventKind.ERROR, EventKind.SYSTEM_EVENT})
"""Taken at any time, also before the beginning and after the end: whatever went wrong has to be written down."""


class Phase(StrEnum):
    """How far a loop has come."""

    NEW = "new"
    """Nothing was asked yet."""
    OPEN = "open"
    ENDED = "ended"
    INTERRUPTED = "interrupted"

    @property
    def over(self) -> bool:
        """Whether nothing comes any more but errors and system events."""
        return self in (Phase.ENDED, Phase.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class LoopState:
    """Where a loop stands, and which of its calls nobody has answered."""

    persona: Persona
    phase: Phase = Phase.NEW
    unanswered: frozenset[str] = frozenset()

    def after(self, event: Event) -> LoopState | Refusal:
        """Where the loop stands after the event; a refusal if the event cannot come now."""
        return self._after_any(event) if event.kind in ALWAYS else self._after_ordered(event)

    def _after_any(self, event: Event) -> LoopState:
        if not self.phase.over and is_interruption(event):
            return LoopState(self.persona, Phase.INTERRUPTED, self.unanswered)
        answered = call_of(event)
        return self._answered(answered) if answered else self

    def _after_ordered(self, event: Event) -> LoopState | Refusal:
        begins, ends = BEGINS[self.persona], ENDS[self.persona]
        if event.kind in FOREIGN[self.persona]:
            return Refusal(RULE, f"{event.kind} does not happen to the {self.persona}")
        if self.phase.over:
            return Refusal(RULE, f"{event.kind} comes after the loop was {self.phase}: open another loop")
        if event.kind is begins:
            return self._begun()
        if self.phase is Phase.NEW:
            return Refusal(RULE, f"{event.kind} comes before {begins}: a loop begins with that")
        if event.kind is ends:
            return self._ended(event)
        return self._called(event)

    def _begun(self) -> LoopState | Refusal:
        if self.phase is not Phase.NEW:
            return Refusal(RULE, f"a loop has one {BEGINS[self.persona]}: open another loop")
        return LoopState(self.persona, Phase.OPEN, self.unanswered)

    def _ended(self, event: Event) -> LoopState | Refusal:
        if self.unanswered:
            named = ", ".join(sorted(self.unanswered))
            return Refusal(RULE, f"{event.kind} comes before the result of call {named}: give it one, or an error")
        return LoopState(self.persona, Phase.ENDED)

    def _called(self, event: Event) -> LoopState | Refusal:
        if event.kind is EventKind.TOOL_CALL:
            return LoopState(self.persona, self.phase, self.unanswered | {str(event.id)})
        answered = call_of(event)
        if answered is None:
            return Refusal(RULE, f"a tool_result names its call: give metadata {CALL!r}")
        if answered not in self.unanswered:
            return Refusal(RULE, f"this loop has no unanswered call {answered}")
        return self._answered(answered)

    def _answered(self, call: str) -> LoopState:
        return LoopState(self.persona, self.phase, self.unanswered - {call})


def state_after(persona: Persona, events: Iterable[Event], before: LoopState | None = None) -> LoopState:
    """Where a loop stands after what was logged of it. What could not have come is passed over: it is there."""
    state = before or LoopState(persona)
    for event in events:
        following = state.after(event)
        state = state if isinstance(following, Refusal) else following
    return state


def call_of(event: Event) -> str | None:
    """The id of the call that an event answers, if it names one."""
    named: Json = event.metadata.get(CALL) if f'"{CALL}"' in event.metadata.text else None
    return named if isinstance(named, str) else None


def is_interruption(event: Event) -> bool:
    """Whether the event closes a loop whose process died."""
    return event.kind is EventKind.SYSTEM_EVENT and event.metadata == INTERRUPTED
