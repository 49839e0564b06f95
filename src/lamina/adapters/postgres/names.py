"""Every identifier of the schema, from the spec. No other file makes one up."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5
from typing import Final

from lamina.domain.events import Persona
from lamina.domain.persistence import CanonicalTable
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell

LONGEST: Final = 63
"""PostgreSQL cuts longer identifiers off, silently."""
ANCHOR_SETTING: Final = "lamina.anchor_id"
TASK_SETTING: Final = "lamina.task"
PERSONA_SETTING: Final = "lamina.persona"
"""Whose transaction it is, where it is one persona's."""
WALLED: Final = Persona.SUBCONSCIOUS
"""Whose tables no transaction of the other sees into."""
ACROSS_SETTING: Final = "lamina.across"
"""Says that a transaction is bound to a pattern of anchors; what the pattern asks for stands beside it."""


def key_setting(key: str) -> str:
    """The transaction-local setting with one key of the anchor that a unit of work is bound to."""
    return f"lamina.key.{key}"


def across_setting(key: str) -> str:
    """The transaction-local setting with one key of the pattern that an operator asks by; empty if it is open."""
    return f"{ACROSS_SETTING}.{key}"


@dataclass(frozen=True, slots=True)
class Names:
    """How one agent's tables, types, constraints and functions are called."""

    schema: str
    prefix: str
    anchor_keys: tuple[str, ...]
    open_keys: tuple[str, ...]
    canonical: CanonicalTable | None
    body_bound: int
    partitions: int
    corroborations: bool
    contradictions: bool
    event_memory: bool
    containment: float | None

    @classmethod
    def of(cls, spec: AgentMemorySpec) -> Names:
        """The names that a spec gives."""
        kept = spec.persistence
        return cls(
            schema=kept.schemas[Tier.PERSISTENT],
            prefix=kept.prefix,
            anchor_keys=spec.persistent_anchor.names,
            open_keys=tuple(key.name for key in spec.persistent_anchor.keys if key.nullable_across),
            canonical=kept.canonical,
            body_bound=kept.body_bound,
            partitions=kept.partitions,
            corroborations=kept.corroborations,
            contradictions=kept.contradictions,
            event_memory=spec.event_memory is not None,
            containment=spec.reference_only.leak_defence.containment,
        )

    def own(self, name: str) -> str:
        """The name of one of the agent's own things, without its schema."""
        return fitted(f"{self.prefix}_{name}")

    def partition(self, table: str, number: int) -> str:
        """One hash partition of a table."""
        return self.own(f"{table}_p{number}")

    def cell_index(self, cell: Cell) -> str:
        """The partial index of one (tier, typology) cell of the memory table (D3)."""
        return self.own(f"{cell.tier}_{cell.typology}")

    def near_index(self, cell: Cell, model: str, part: str = "") -> str:
        """The partial HNSW index of one cell for one model (D3, D11), or of one partition of it."""
        return self.own(f"near_{cell.tier}_{cell.typology}_{_digest(model)}{part}")

    @property
    def partitioned(self) -> tuple[str, ...]:
        """The large tables, if they are partitioned."""
        large = ("memory", "embeddings", "documents", "postings", *self.event_tables, *self.derived_tables[:-1])
        return large if self.partitions > 1 else ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that hold what belongs to an anchor: its records, and what is kept about them."""
        names = ["memory", "embeddings", "documents", "postings", "action_links", "decisions", "decision_records"]
        if self.canonical:
            names.append("rule_refs")
        if self.corroborations:
            names.append("corroborations")
        if self.contradictions:
            names += ["rule_contradictions", "contradiction_history"]
        return tuple(names)

    @property
    def event_tables(self) -> tuple[str, ...]:
        """The tables of its events, if it has event memory: one for each persona, so that they can be kept apart."""
        return tuple(self.events_of(persona) for persona in Persona) if self.event_memory else ()

    @property
    def prompt_tables(self) -> tuple[str, ...]:
        """The tables of what went into prompts."""
        return ("injections",)

    @property
    def derived_tables(self) -> tuple[str, ...]:
        """The tables of what is derived from its events, for each persona apart, and the list of who has any."""
        both = [table for persona in Persona for table in self.persona_tables(persona)[1:]]
        return (*both, "agents") if self.event_memory else ()

    def persona_tables(self, persona: Persona) -> tuple[str, str, str]:
        """The tables of one persona: its log, its long-term and its short-term memory."""
        return self.events_of(persona), self.long_term_of(persona), self.short_term_of(persona)

    @staticmethod
    def events_of(persona: Persona) -> str:
        """The table of one persona's events."""
        return f"{persona}_events"

    @staticmethod
    def long_term_of(persona: Persona) -> str:
        """The table of one persona's long-term memory."""
        return f"{persona}_ltm"

    @staticmethod
    def short_term_of(persona: Persona) -> str:
        """The table of one persona's short-term memory."""
        return f"{persona}_stm"

    @property
    def with_keys(self) -> tuple[str, ...]:
        """Those of them that have the anchor's own columns too."""
        return tuple(name for name in self.tables if name in ("memory", "rule_refs", "rule_contradictions"))

    @property
    def append_only(self) -> tuple[str, ...]:
        """Those whose rows are never changed and never removed."""
        kept = ("decisions", "decision_records", "corroborations", "contradiction_history")
        return tuple(name for name in self.tables if name in kept)


def fitted(name: str) -> str:
    """The name itself, or one that PostgreSQL does not cut off and that no other long name gets."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 9]}_{_digest(name)}"


def _digest(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()[:8]
