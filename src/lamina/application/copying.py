"""A record written anew in another place: what it says and what it is found by are taken over, not worked out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lamina.application.resources import Resources
from lamina.domain.embedding import Embedding
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.record import MemoryRecord
from lamina.ports.records import Entry


def copy_of(
    resources: Resources, record: MemoryRecord, vector: bytes | None, lexemes: Sequence[str], **changes: Any
) -> Entry:
    """The record with an id of its own, recorded now, and whatever else is to be different about it."""
    embedding_id = EmbeddingId(resources.ids.new()) if vector else None
    copy = replace(
        record,
        id=MemoryId(resources.ids.new()),
        recorded_at=resources.clock.now(),
        embedding_id=embedding_id,
        version=1,
        **changes,
    )
    embedding = Embedding(embedding_id, resources.embedder.model, vector) if embedding_id and vector else None
    return Entry(copy, embedding, lexemes)
