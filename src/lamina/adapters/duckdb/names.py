"""How a spec's tables are called, and what its migrations are filled in with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lamina.domain.derivation import DerivationStatus
from lamina.domain.event import LONGEST_CONTENT
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.loop_state import Phase
from lamina.domain.persistence import CanonicalTable
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier


@dataclass(frozen=True, slots=True)
class Names:
    """Every name here was checked by the spec to be a plain identifier, so it can stand in a statement."""

    schema: str
    prefix: str
    anchor_keys: tuple[str, ...]
    canonical: CanonicalTable | None
    corroborations: bool
    contradictions: bool
    event_memory: bool
    body_bound: int
    containment: float | None

    @classmethod
    def of(cls, spec: AgentMemorySpec) -> Names:
        """The names that a spec gives."""
        kept = spec.persistence
        return cls(
            kept.schemas[Tier.PERSISTENT],
            kept.prefix,
            spec.persistent_anchor.names,
            kept.canonical,
            kept.corroborations,
            kept.contradictions,
            spec.event_memory is not None,
            kept.body_bound,
            spec.reference_only.leak_defence.containment,
        )

    @property
    def agent(self) -> str:
        """What the agent's own rows in a file's books go by."""
        return f"{self.schema}.{self.prefix}"

    @property
    def canonical_table(self) -> str | None:
        """The full name of the table that the canonical rules are in."""
        return f"{self.canonical.schema_name}.{self.canonical.table}" if self.canonical else None

    def table(self, name: str) -> str:
        """The full name of one of the agent's tables."""
        return f"{self.schema}.{self.prefix}_{name}"

    def substitutions(self) -> dict[str, str]:
        """What the migrations' placeholders stand for."""
        filled = {
            "schema": self.schema,
            "prefix": self.prefix,
            "anchor_columns": _columns(self.anchor_keys),
            "body_bound": str(self.body_bound),
            "rule_reference": "",
            "event_kinds": _words(EventKind),
            "event_visibilities": _words(EventVisibility),
            "content_bound": str(LONGEST_CONTENT),
            "derivation_statuses": _words(DerivationStatus),
            "loop_phases": _words(Phase),
        }
        return filled | (_canonical(self.canonical, self.anchor_keys) if self.canonical else {})


def _canonical(canonical: CanonicalTable, keys: tuple[str, ...]) -> dict[str, str]:
    columns = tuple(canonical.anchor_columns[key] for key in keys)
    key = ", ".join([*columns, canonical.id_column, canonical.version_column])
    ours = ", ".join([*keys, "rule_id", "rule_version"])
    return {
        "canonical_schema": canonical.schema_name,
        "canonical_table": canonical.table,
        "canonical_anchor_columns": _columns(columns),
        "canonical_id": canonical.id_column,
        "canonical_version": canonical.version_column,
        "canonical_body": canonical.body_column,
        "canonical_key": key,
        "rule_reference": f",\n    FOREIGN KEY ({ours}) REFERENCES {canonical.schema_name}.{canonical.table} ({key})",
    }


def _words(words: type[StrEnum]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _columns(names: tuple[str, ...]) -> str:
    return ",\n    ".join(f"{name} VARCHAR NOT NULL" for name in names)
