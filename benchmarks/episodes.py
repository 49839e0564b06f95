"""Episodes to fill a store with, past the verbs: words spread as unevenly as in prose, sessions of twenty turns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import numpy as np

from benchmarks.corpus import unit_vectors
from lamina.domain.anchor import Anchor
from lamina.domain.embedding import Embedding
from lamina.domain.ids import EmbeddingId, MemoryId, SessionId
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.scope import PersistentScope
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.store import Store

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
VOCABULARY: Final = 20_000
WORDS: Final = 18
SITTING: Final = 20
BATCH: Final = 10_000
SPEAKERS: Final = (Tags({"speaker": "Ann"}), Tags({"speaker": "Bob"}))


def words(count: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The words of so many texts, each a number: the n-th is met about 1/n as often as the first."""
    chances = 1 / np.arange(1, VOCABULARY + 1)
    return np.random.default_rng(seed).choice(VOCABULARY, (count, WORDS), p=chances / chances.sum())


def fill(store: Store, anchor: Anchor, embedding: EmbeddingChoice, count: int, seed: int) -> None:
    """Writes so many to one anchor, in large batches."""
    for start in range(0, count, BATCH):
        with store.unit(anchor) as unit:
            unit.records.add(list(_entries(anchor, embedding, start, min(BATCH, count - start), seed)))


def _entries(anchor: Anchor, embedding: EmbeddingChoice, start: int, count: int, seed: int) -> Iterator[Entry]:
    texts = words(count, seed + start)
    vectors = unit_vectors(count, embedding.dimension, seed + start)
    for place in range(count):
        number = start + place
        lexemes = [f"w{word}" for word in texts[place].tolist()]
        id_ = UUID(int=seed << 64 | number + 1)
        origin = Origin(SessionId(UUID(int=seed << 64 | number // SITTING + 1)), None, number % SITTING)
        record = MemoryRecord(
            id=MemoryId(id_),
            scope=PersistentScope(anchor),
            typology=Typology.EPISODIC,
            body=" ".join(lexemes),
            recorded_at=START + timedelta(seconds=number),
            validity=Validity(START + timedelta(seconds=number)),
            tags=SPEAKERS[number % 2],
            origin=origin,
            embedding_id=EmbeddingId(id_),
        )
        yield Entry(record, Embedding(EmbeddingId(id_), embedding.model, vectors[place].tobytes()), lexemes)


def questions(count: int) -> list[str]:
    """Questions of six words, as unevenly spread, half of which name a speaker."""
    asked = words(count, 99)[:, :6].tolist()
    return [f"{('', 'Ann ')[number % 2]}{' '.join(f'w{word}' for word in one)}" for number, one in enumerate(asked)]
