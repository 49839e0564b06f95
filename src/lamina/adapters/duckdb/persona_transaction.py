"""What the repositories of one persona's unit share."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.statements import Statements
from lamina.domain.anchor import Anchor
from lamina.domain.events import Persona
from lamina.domain.retrieval import EmbeddingChoice


@dataclass(frozen=True, slots=True)
class PersonaTables:
    """The names of one persona's tables, and of the list of agents."""

    persona: Persona
    events: str
    long_term: str
    short_term: str
    agents: str

    @classmethod
    def of(cls, names: Names, persona: Persona) -> PersonaTables:
        """Those that a spec gives."""
        events, long_term, short_term = (names.table(f"{persona}_{kind}") for kind in ("events", "ltm", "stm"))
        return cls(persona, events, long_term, short_term, names.table("agents"))


@dataclass(frozen=True, slots=True)
class PersonaTransaction:
    """One cursor, bound to one persona of one anchor."""

    statements: Statements
    tables: PersonaTables
    anchor: Anchor
    collection: str
    embedding: EmbeddingChoice
