"""What one persona's acts work with: its own store, and the ports that its memory is derived and found by."""

from __future__ import annotations

from dataclasses import dataclass, field

from lamina.application.event_tools import EventTools
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.events import Persona
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.spec import AgentMemorySpec, EventMemory
from lamina.ports.clock import Clock
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.lexer import Lexer
from lamina.ports.persona_store import PersonaStore, not_kept
from lamina.ports.short_term import ShortTerm, Stamp, Window


class SeenWindow:
    """The window as it was read last. It is read again only if it has changed: that moves all of its texts."""

    def __init__(self) -> None:
        self._last: tuple[Stamp, int, Window] | None = None

    def window(self, short_term: ShortTerm, limit: int) -> Window:
        """The window as it is now."""
        stamp, last = short_term.stamp(limit), self._last
        if last is None or last[:2] != (stamp, limit):
            last = self._last = (stamp, limit, short_term.window(limit))
        return last[2]


@dataclass(frozen=True, slots=True)
class PersonaMemory:
    """One persona of one agent. Nothing in it leads to the other."""

    persona: Persona
    store: PersonaStore
    kept: EventMemory
    retrieval: RetrievalModel
    embedder: Embedder
    lexer: Lexer
    clock: Clock
    ids: Ids
    tools: EventTools
    seen: SeenWindow = field(default_factory=SeenWindow)


def persona_memory(resources: Resources, anchor: Anchor, persona: Persona) -> PersonaMemory:
    """One persona's memory, on the store that all of the agent's memory is on."""
    return PersonaMemory(
        persona,
        resources.store.persona(anchor, persona),
        event_memory(resources.spec),
        resources.spec.retrieval,
        resources.embedder,
        resources.lexer,
        resources.clock,
        resources.ids,
        resources.event_tools,
    )


def event_memory(spec: AgentMemorySpec) -> EventMemory:
    """The event memory of a spec, if it has one."""
    if spec.event_memory is None:
        raise not_kept()
    return spec.event_memory
