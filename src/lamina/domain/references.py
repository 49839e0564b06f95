"""What a record points at, and what points at a record. References have rows of their own, never arrays (D6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lamina.domain.ids import MemoryId
from lamina.domain.instants import checked_instant
from lamina.domain.text import checked_text


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A canonical rule, pinned to the version that was read. The rule's text stays where it is."""

    rule_id: UUID
    version: str

    def __post_init__(self) -> None:
        checked_text(self.version, "rule version", at_most=100)


@dataclass(frozen=True, slots=True)
class ActionLink:
    """A memory that justified an action. It cannot be removed from beneath it, whatever its tier."""

    kind: str
    ref: str
    memory_id: MemoryId
    linked_at: datetime

    def __post_init__(self) -> None:
        checked_text(self.kind, "action kind", at_most=100)
        checked_text(self.ref, "action ref", at_most=200)
        checked_instant(self.linked_at, "linked_at")
