"""What each persona is handed: the actor its own memory and nothing else, the subconscious both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from heapq import merge
from types import TracebackType
from typing import Self
from uuid import UUID

from lamina.application.event_queries import (
    EntryHit,
    SummaryHit,
    check_question,
    entry_order,
    fuzzy_query,
    get_by_id,
    get_range,
    rag_query,
)
from lamina.application.loop import NOTHING, ActorLoop, new_standing, standing_of
from lamina.application.persona_memory import PersonaMemory
from lamina.application.prompting import Prompt, prompt
from lamina.domain.choices import choices
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_metadata import Json
from lamina.domain.events import Persona
from lamina.domain.ids import checked_id
from lamina.domain.long_term import ANY_EVENT, EventFilter
from lamina.domain.stm import Identity


class ActorMemoryView:
    """The actor's own memory of one agent: all that actor code is ever handed."""

    def __init__(self, memory: PersonaMemory) -> None:
        self._memory = memory

    def get_by_id(self, event_id: UUID) -> Event | None:
        """One event, as it happened."""
        return get_by_id(self._memory, EventId(checked_id(event_id, "event_id")))

    def get_range(self, start: datetime, end: datetime) -> Iterator[Event]:
        """What happened from `start` on and before `end`, by time, as it is asked for."""
        return get_range(self._memory, start, end)

    def rag_query(self, text: str, filters: EventFilter = ANY_EVENT, limit: int = 10) -> list[EntryHit]:
        """The long-term entries that answer the text, best first."""
        return rag_query(self._memory, text, filters, limit)

    def fuzzy_query(self, text: str, heuristics: Identity | None = None, limit: int = 10) -> list[SummaryHit]:
        """The last loops whose summaries are most like the text, by the spec's heuristics or by these."""
        return fuzzy_query(self._memory, text, heuristics, limit)

    def prompt(self, task: str, budget: int = 2_000) -> Prompt:
        """The task with what is remembered about it, in at most so many tokens."""
        return prompt(self._memory, task, budget)

    def loop(self, loop_id: UUID | None = None) -> ActorLoop:
        """A new loop, or one that is there to go on with."""
        memory = self._memory
        if loop_id is None:
            return ActorLoop(memory, new_standing(memory))
        return ActorLoop(memory, standing_of(memory, LoopId(checked_id(loop_id, "loop_id"))))

    def do(self, task: str, metadata: Mapping[str, Json] = NOTHING) -> ActorLoop:
        """A new loop that begins with the task."""
        loop = self.loop()
        loop.user_input(task, metadata).require()
        return loop

    def close(self) -> None:
        """Lets go of the store, if it was opened for this view."""
        self._memory.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


BOTH = tuple(Persona)


class SubconsciousMemoryView:
    """Both personas' memory of one agent. `personas` narrows what is asked."""

    def __init__(self, memories: Mapping[Persona, PersonaMemory]) -> None:
        self._memories = memories

    def get_by_id(self, event_id: UUID, personas: Collection[Persona] = BOTH) -> Event | None:
        """One event, as it happened, to whomever."""
        asked = EventId(checked_id(event_id, "event_id"))
        found = (get_by_id(memory, asked) for memory in self._of(personas))
        return next((event for event in found if event), None)

    def get_range(self, start: datetime, end: datetime, personas: Collection[Persona] = BOTH) -> Iterator[Event]:
        """What happened from `start` on and before `end`, by time."""
        return merge(*(get_range(memory, start, end) for memory in self._of(personas)), key=lambda event: event.ts)

    def rag_query(
        self, text: str, filters: EventFilter = ANY_EVENT, limit: int = 10, personas: Collection[Persona] = BOTH
    ) -> list[EntryHit]:
        """The long-term entries that answer the text, best first. Each collection is ranked by itself."""
        check_question(text, limit)
        hits = [hit for memory in self._of(personas) for hit in rag_query(memory, text, filters, limit)]
        return sorted(hits, key=entry_order)[:limit]

    def fuzzy_query(
        self,
        text: str,
        heuristics: Identity | None = None,
        limit: int = 10,
        personas: Collection[Persona] = BOTH,
    ) -> list[SummaryHit]:
        """The last loops whose summaries are most like the text."""
        check_question(text, limit)
        hits = [hit for memory in self._of(personas) for hit in fuzzy_query(memory, text, heuristics, limit)]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def _of(self, personas: Collection[Persona]) -> list[PersonaMemory]:
        chosen = choices(Persona, personas, "persona")
        return [memory for persona, memory in self._memories.items() if persona in chosen]
