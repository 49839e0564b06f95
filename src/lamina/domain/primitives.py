"""The fifteen primitives, in the order in which a new agent's memory works them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """How an agent answers: explicitly, or by the typology's default unless it documents a deviation."""

    FOUNDATIONAL = "foundational"
    BEHAVIOURAL = "behavioural"
    DISCIPLINE = "discipline"


class Primitive(NamedTuple):
    """One axis that every agent's memory chooses a value on; `field` is where the spec says it."""

    number: int
    name: str
    field: str
    kind: Kind

    def __str__(self) -> str:
        return f"P{self.number} {self.name}"


PRIMITIVES = (
    Primitive(1, "anchor entity", "anchor", Kind.FOUNDATIONAL),
    Primitive(2, "memory typology", "typology", Kind.FOUNDATIONAL),
    Primitive(3, "tier model", "tiers", Kind.FOUNDATIONAL),
    Primitive(4, "persistence backend", "persistence", Kind.FOUNDATIONAL),
    Primitive(5, "retrieval model", "retrieval", Kind.FOUNDATIONAL),
    Primitive(6, "lifecycle / retention", "lifecycle", Kind.BEHAVIOURAL),
    Primitive(7, "time decay model", "decay", Kind.BEHAVIOURAL),
    Primitive(8, "write policy", "write", Kind.BEHAVIOURAL),
    Primitive(9, "promotion semantics", "promotion", Kind.BEHAVIOURAL),
    Primitive(10, "conflict resolution", "conflict", Kind.BEHAVIOURAL),
    Primitive(11, "consolidation / summarization", "consolidation", Kind.BEHAVIOURAL),
    Primitive(12, "injection semantics + token budget", "injection", Kind.BEHAVIOURAL),
    Primitive(13, "reference-only invariants", "reference_only", Kind.DISCIPLINE),
    Primitive(14, "sanitization gates", "sanitization", Kind.DISCIPLINE),
    Primitive(15, "visibility / access scope", "visibility", Kind.DISCIPLINE),
)

BY_FIELD = {primitive.field: primitive for primitive in PRIMITIVES}
