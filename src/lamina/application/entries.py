"""Records on their way in, with what they will be found by: worked out in one batch, and outside any transaction."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.resources import Resources
from lamina.domain.embedding import Embedding
from lamina.domain.record import MemoryRecord
from lamina.ports.records import Entry


def entries_of(resources: Resources, records: Sequence[MemoryRecord]) -> list[Entry]:
    """The records with their vectors and lexemes."""
    if not records:
        return []
    bodies = [record.body for record in records]
    vectors, lexemes = resources.embedder.documents(bodies), resources.lexer.lexemes(bodies)
    model = resources.embedder.model
    entries = []
    for record, vector, words in zip(records, vectors, lexemes, strict=True):
        embedding = Embedding(record.embedding_id, model, vector) if record.embedding_id else None
        entries.append(Entry(record, embedding, words))
    return entries
