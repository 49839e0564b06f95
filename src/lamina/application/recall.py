"""Recalling: each signal finds candidates, the domain fuses them, and every hit can say why (P5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.fusion import Contribution, fuse
from lamina.domain.ids import MemoryId
from lamina.domain.numbers import checked_number
from lamina.domain.order import order_key
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.text import checked_text
from lamina.ports.unit_of_work import UnitOfWork

LIVE = Selection()
LONGEST_QUERY = 100_000
DEPTH = 4
"""Each signal is asked for this many times the limit, so that what two of them rank lower can still come first."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers, its score, and what each signal said of it."""

    record: MemoryRecord
    score: float
    why: Mapping[Signal, Contribution]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and of which part of memory."""

    text: str
    limit: int = 10
    tags: Mapping[str, str] | None = None
    selection: Selection = LIVE

    def __post_init__(self) -> None:
        checked_text(self.text, "query", at_most=LONGEST_QUERY)
        checked_number(self.limit, "limit", at_least=1, at_most=10_000)


def recall(resources: Resources, anchor: Anchor, query: Query) -> list[Hit]:
    """The best answers, best first."""
    vector = resources.embedder.query(query.text)
    retrieval = resources.spec.retrieval
    with resources.store.unit(anchor) as unit:
        found = _candidates(unit, query, vector, resources.embedder.model)
        fused = fuse(found, retrieval.signals, retrieval.scoring)
        records = unit.records.get(fused)
    hits = [Hit(records[id_], one.score * retrieval.tiers[records[id_].tier], one.why) for id_, one in fused.items()]
    return sorted(hits, key=lambda hit: order_key(hit.score, hit.record))[: query.limit]


def _candidates(unit: UnitOfWork, query: Query, vector: bytes, model: str) -> dict[Signal, Mapping[MemoryId, float]]:
    depth = DEPTH * query.limit
    return {
        Signal.SEMANTIC: unit.candidates.nearest(vector, model, query.selection, depth),
        Signal.TAGS: unit.candidates.tagged(query.tags or {}, query.selection, depth),
    }
