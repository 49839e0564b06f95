"""Backfilling: derived memory catches up with the log, a page at a time, however many do it at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import Final

from lamina.application.deriving import new_entries, new_summary
from lamina.application.loop import SubconsciousLoop, new_standing
from lamina.application.persona_memory import PersonaMemory, persona_memory
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.derivation import Remainder
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.instants import checked_patience
from lamina.domain.loop_state import INTERRUPTED, state_after
from lamina.ports.persona_store import PersonaUnit

LOOPS: Final = 200
"""How many loops are summarised in one transaction."""


@dataclass(frozen=True, slots=True)
class Left:
    """What remains of one persona of one agent, and why."""

    agent: Anchor
    persona: Persona
    remainder: Remainder

    def __str__(self) -> str:
        return f"{self.agent}, {self.persona}: {self.remainder}"


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What was done, and what remains."""

    entries: int = 0
    """Events whose long-term entry was derived."""
    summaries: int = 0
    interrupted: int = 0
    """Loops whose process had died: they are closed, and summarised."""
    left: tuple[Left, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether derived memory covers the whole log."""
        return not self.left

    def __add__(self, other: Backfilled) -> Backfilled:
        return Backfilled(
            self.entries + other.entries,
            self.summaries + other.summaries,
            self.interrupted + other.interrupted,
            self.left + other.left,
        )

    def __str__(self) -> str:
        done = f"{self.entries:,} entries and {self.summaries:,} summaries derived, {self.interrupted:,} loops closed"
        return "; ".join([done, *map(str, self.left)])


def backfill(
    resources: Resources, agents: Iterable[Anchor] | None = None, interrupted_after: timedelta | None = None
) -> Backfilled:
    """Derives what is not derived yet, for these agents or for all that have events.

    A loop in which nothing has happened for `interrupted_after`, or what the spec says, is closed as interrupted. Run
    again, it goes on where it was left; run by many at once, each takes what no other has.
    """
    if interrupted_after is not None:
        checked_patience(interrupted_after, "interrupted_after")
    done = Backfilled()
    if resources.spec.event_memory is None:
        return done
    for agent in resources.store.agents() if agents is None else agents:
        done += _backfill_agent(resources, agent, interrupted_after)
    return done


def _backfill_agent(resources: Resources, agent: Anchor, interrupted_after: timedelta | None) -> Backfilled:
    memories = [persona_memory(resources, agent, persona) for persona in Persona]
    patience = memories[0].kept.interrupted_after if interrupted_after is None else interrupted_after
    if not any(_has_work(memory, patience) for memory in memories):
        return Backfilled()
    done = Backfilled()
    with SubconsciousLoop(memories[1], new_standing(memories[1])) as dream:
        dream.prompt("dream: derived memory catches up with the log")
        for memory in memories:
            done += _backfill_persona(memory, patience, dream.id)
        dream.output(str(done))
    return replace(done, left=tuple(_left(agent, memories)))


def _has_work(memory: PersonaMemory, patience: timedelta) -> bool:
    with memory.store.reading() as unit:
        return bool(
            unit.long_term.remaining()
            or unit.short_term.claim(-1, 1)
            or unit.short_term.idle(memory.clock.now() - patience, 1)
        )


def _backfill_persona(memory: PersonaMemory, patience: timedelta, own: LoopId) -> Backfilled:
    done = derive(memory)
    closed = _close_interrupted(memory, patience, own)
    # A loop that was just closed has one more event.
    return done + (replace(derive(memory), interrupted=closed) if closed else Backfilled())


def derive(memory: PersonaMemory) -> Backfilled:
    """What is derived of one persona catches up with its log; no loop is closed, and none is opened."""
    return Backfilled(entries=_derive_entries(memory), summaries=_derive_summaries(memory))


def _derive_entries(memory: PersonaMemory) -> int:
    derived, after = 0, -1
    while True:
        # What is derived comes from events that cannot change: nothing that a model says in here can be out of date.
        with memory.store.unit() as unit:
            claimed = unit.long_term.claim(after)
            if not claimed:
                return derived
            entries = new_entries(memory, claimed)
            unit.long_term.put(entries)
        derived += sum(one.entry.progress.done for one in entries)
        after = claimed[-1][0].position


def _derive_summaries(memory: PersonaMemory) -> int:
    derived, after = 0, -1
    while True:
        with memory.store.unit() as unit:
            claimed = unit.short_term.claim(after, LOOPS)
            if not claimed:
                return derived
            known = unit.short_term.get(claimed)
            runs = _by_loop(unit, claimed)
            summaries = [new_summary(memory, run, known.get(loop_id)) for loop_id, run in runs.items()]
            unit.short_term.put(summaries)
        derived += sum(one.progress.done for one in summaries)
        after = max(one.last_position for one in summaries)


def _by_loop(unit: PersonaUnit, loop_ids: Sequence[LoopId]) -> dict[LoopId, list[LoggedEvent]]:
    # Sorting is stable: within a loop, the order of the chain stays.
    events = sorted(unit.log.of_loops(loop_ids), key=lambda one: one.event.loop_id)
    return {loop_id: list(run) for loop_id, run in groupby(events, key=lambda one: one.event.loop_id)}


def _close_interrupted(memory: PersonaMemory, patience: timedelta, own: LoopId) -> int:
    """Closes what is left of dead processes, but for the loop that this is done in itself."""
    since, closed = memory.clock.now() - patience, 0
    tried: set[LoopId] = {own}
    while True:
        with memory.store.reading() as unit:
            idle = [loop_id for loop_id in unit.short_term.idle(since, LOOPS) if loop_id not in tried]
        if not idle:
            return closed
        closed += sum(_closed(memory, loop_id) for loop_id in idle)
        tried.update(idle)
        # A summary says that its loop is over: what is not idle any more makes room for the next.
        _derive_summaries(memory)


def _closed(memory: PersonaMemory, loop_id: LoopId) -> bool:
    with memory.store.unit() as unit:
        run = unit.log.hold(loop_id, -1, []).of_loop
        if state_after(memory.persona, (one.event for one in run)).phase.over:
            return False
        unit.log.append([_interruption(memory, loop_id)])
        return True


def _interruption(memory: PersonaMemory, loop_id: LoopId) -> Event:
    return Event(
        id=EventId(memory.ids.new()),
        ts=memory.clock.now(),
        persona=memory.persona,
        loop_id=loop_id,
        kind=EventKind.SYSTEM_EVENT,
        visibility=EventVisibility.PUBLIC,
        content="the loop was interrupted",
        metadata=INTERRUPTED,
    )


def _left(agent: Anchor, memories: Iterable[PersonaMemory]) -> Iterable[Left]:
    for memory in memories:
        with memory.store.reading() as unit:
            remaining = [*unit.long_term.remaining(), *unit.short_term.remaining()]
        yield from (Left(agent, memory.persona, one) for one in remaining)
