"""Facts to fill a store with, past the verbs: embedded before, and the number of each is its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from lamina.domain.anchor import Anchor
from lamina.domain.embedding import Embedding
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import PersistentScope
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.store import Store

BATCH: Final = 10_000
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def fill(store: Store, anchor: Anchor, model: str, bodies: Sequence[str], vectors: Sequence[bytes]) -> None:
    """Writes them all to one anchor, in large batches."""
    for batch in _batches(anchor, model, bodies, vectors):
        with store.unit(anchor) as unit:
            unit.records.add(batch)


def _batches(anchor: Anchor, model: str, bodies: Sequence[str], vectors: Sequence[bytes]) -> Iterator[list[Entry]]:
    for start in range(0, len(bodies), BATCH):
        numbers = range(start, min(start + BATCH, len(bodies)))
        yield [_entry(number, anchor, bodies[number], model, vectors[number]) for number in numbers]


def _entry(number: int, anchor: Anchor, body: str, model: str, vector: bytes) -> Entry:
    record = MemoryRecord(
        id=MemoryId(UUID(int=number)),
        scope=PersistentScope(anchor),
        typology=Typology.SEMANTIC,
        body=body,
        recorded_at=START,
        validity=Validity(START),
        embedding_id=EmbeddingId(UUID(int=number)),
    )
    return Entry(record, Embedding(EmbeddingId(UUID(int=number)), model, vector))
