"""Plain things to test a store with: short to write, the same on every run."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

from lamina.domain.agents import WORLD_AGENT
from lamina.domain.anchor import Anchor
from lamina.domain.embedding import Embedding
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.neighbourhood import closing
from lamina.domain.outline import NOWHERE, Outline, spot
from lamina.domain.record import MemoryRecord
from lamina.domain.references import RuleRef
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.scope import PersistentScope
from lamina.domain.state import is_disposed
from lamina.domain.typology import CELLS, Cell, Typology
from lamina.domain.validity import Validity
from lamina.ports.canonical_rules import Rule
from lamina.ports.records import Entry

SPEC: Final = WORLD_AGENT
EMBEDDING: Final = EmbeddingChoice(model="sample", dimension=4)
START: Final = datetime(2026, 1, 1, tzinfo=UTC)
DAY: Final = timedelta(days=1)
_NAMESPACE: Final = UUID(int=0)


def anchor(org_id: str = "acme", domain_id: str = "kyc") -> Anchor:
    """An anchor of the sample spec."""
    return SPEC.persistent_anchor.bind({"org_id": org_id, "domain_id": domain_id})


def uuid(name: str) -> UUID:
    """The id that goes by this name."""
    return uuid5(_NAMESPACE, name)


def record(name: str, whose: Anchor | None = None, **parts: Any) -> MemoryRecord:
    """A live persistent fact that goes by this name; anything about it can be said otherwise."""
    fact = MemoryRecord(
        id=MemoryId(uuid(name)),
        scope=PersistentScope(whose or anchor()),
        typology=Typology.SEMANTIC,
        body=f"the fact about {name}",
        recorded_at=START,
        validity=Validity(START),
    )
    return replace(fact, **parts)


def vector(*numbers: float) -> bytes:
    """A vector of the sample dimension, of unit length."""
    padded = [*numbers, *(0.0 for _ in range(EMBEDDING.dimension - len(numbers)))]
    length = sum(number * number for number in padded) ** 0.5
    return array("f", [number / length for number in padded]).tobytes()


def entry(fact: MemoryRecord, *numbers: float, lexemes: Sequence[str] = ()) -> Entry:
    """The record with its lexemes, and with an embedding if numbers are given for one."""
    if not numbers:
        return Entry(fact, lexemes=lexemes)
    embedding = Embedding(EmbeddingId(uuid(f"embedding of {fact.id}")), EMBEDDING.model, vector(*numbers))
    return Entry(replace(fact, embedding_id=embedding.id), embedding, lexemes)


def rule(name: str, body: str, version: str = "v1") -> Rule:
    """A canonical rule that goes by this name."""
    return Rule(RuleRef(uuid(name), version), body)


def outline_of(one: MemoryRecord, labels: float = 0.0, confirmed_at: datetime | None = None) -> Outline:
    """What ranking looks at of a record. Its session goes by the last bits of its id, which are those that samples
    differ in."""
    return Outline(
        one.id,
        CELLS.index(Cell(one.tier, one.typology)),
        _microseconds(one.validity.valid_at),
        _microseconds(one.recorded_at),
        is_disposed(one.state),
        spot(one.origin.session_id.int % 2**31, one.origin.position) if one.origin else NOWHERE,
        len(one.body),
        closing(one.body),
        labels,
        1 if confirmed_at else 0,
        _microseconds(confirmed_at) if confirmed_at else None,
    )


def without_spots(outlines: Iterable[Outline]) -> set[Outline]:
    """Outlines as every store draws them: each numbers the sessions for itself."""
    return {one._replace(spot=NOWHERE) for one in outlines}


def _microseconds(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)
