"""Logging events: what a loop's state admits is appended, in one transaction; the rest is refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lamina.application.persona_memory import PersonaMemory
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.ids import MemoryId
from lamina.domain.loop_state import RULE, LoopState, state_after
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.refusal import Refusal
from lamina.ports.persona_store import PersonaUnit


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a loop stands, and up to which position of the log that was seen."""

    loop_id: LoopId
    state: LoopState
    seen: int = -1


def log_events(memory: PersonaMemory, standing: Standing, events: Sequence[Event]) -> tuple[list[Outcome], Standing]:
    """Appends what can come now, all of it or nothing; an event that is there already, the same, is no mistake."""
    with memory.store.unit() as unit:
        held = unit.log.hold(standing.loop_id, standing.seen, [event.id for event in events])
        standing = _after(standing, held.of_loop)
        outcomes, admitted, state = _sorted_out(standing, events, held.known)
        logged = unit.log.append(admitted)
    return outcomes, Standing(standing.loop_id, state, logged[-1].position if logged else standing.seen)


def caught_up(unit: PersonaUnit, standing: Standing) -> Standing:
    """The same loop, after what somebody else has logged of it in between."""
    return _after(standing, unit.log.of_loops([standing.loop_id], after=standing.seen))


def _after(standing: Standing, others: Sequence[LoggedEvent]) -> Standing:
    if not others:
        return standing
    state = state_after(standing.state.persona, (one.event for one in others), standing.state)
    return Standing(standing.loop_id, state, others[-1].position)


def _sorted_out(
    standing: Standing, events: Sequence[Event], known: Mapping[EventId, LoggedEvent]
) -> tuple[list[Outcome], list[Event], LoopState]:
    outcomes: list[Outcome] = []
    admitted: dict[EventId, Event] = {}
    state = standing.state
    for event in events:
        there = admitted.get(event.id) or (known[event.id].event if event.id in known else None)
        following = _following(standing, state, event, there)
        if isinstance(following, Outcome):
            outcomes.append(following)
            continue
        state, admitted[event.id] = following, event
        outcomes.append(Outcome(Decision.ADD, (MemoryId(event.id),), f"{event.kind} is logged"))
    return outcomes, list(admitted.values()), state


def _following(standing: Standing, state: LoopState, event: Event, there: Event | None) -> LoopState | Outcome:
    if there is not None:
        return _again(event, there)
    if event.loop_id != standing.loop_id:
        return _refused(Refusal(RULE, f"event {event.id} is of loop {event.loop_id}, not of {standing.loop_id}"))
    if event.persona is not state.persona:
        return _refused(Refusal("persona", f"event {event.id} is of the {event.persona}, this loop of another"))
    following = state.after(event)
    return _refused(following) if isinstance(following, Refusal) else following


def _again(event: Event, there: Event) -> Outcome:
    if event == there:
        return Outcome(Decision.NOOP, (MemoryId(event.id),), "it is logged already")
    return _refused(Refusal("duplicate", f"id {event.id} is that of another event: give it one of its own"))


def _refused(refusal: Refusal) -> Outcome:
    return Outcome(Decision.REFUSED, (), refusal.reason, refusal.rule)
