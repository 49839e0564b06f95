"""Records on their way in: as columns for the tables, and as rows for a shelf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina.adapters.duckdb.arrays import Array, halves
from lamina.adapters.duckdb.arrivals import Arrivals, Documents, as_bytes, is_whole, joined
from lamina.adapters.duckdb.shelf_rows import NOBODY, TIERS, TYPOLOGIES, is_retired, microseconds
from lamina.domain.errors import ForbiddenCharacter
from lamina.domain.ids import AnchorId
from lamina.domain.record import MemoryRecord
from lamina.ports.records import Entry


class Writing:
    """Entries, with their documents, which are worked out once for the tables and the shelf."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._records = [entry.record for entry in entries]
        self._embeddings = [entry.embedding for entry in entries]
        self._documents = _documents(entries)

    def documents(self, anchor_id: AnchorId) -> dict[str, Sequence[Any]]:
        """Every column of the documents table."""
        return {
            "anchor_id": [anchor_id] * len(self._records),
            "memory_id": [record.id for record in self._records],
            "length": list(self._documents.lengths),
            "terms": self._documents.terms,
            "frequencies": self._documents.frequencies,
        }

    def embeddings(self, anchor_id: AnchorId) -> dict[str, Sequence[Any]]:
        """Every column of the embeddings table."""
        both = zip(self._records, self._embeddings, strict=True)
        given = [(record.id, embedding) for record, embedding in both if embedding]
        return {
            "anchor_id": [anchor_id] * len(given),
            "id": [embedding.id for _, embedding in given],
            "memory_id": [memory_id for memory_id, _ in given],
            "model": [embedding.model for _, embedding in given],
            "dimension": [embedding.dimension for _, embedding in given],
            "vector": [embedding.vector for _, embedding in given],
        }

    def arrivals(self) -> Arrivals:
        """The same for a shelf."""
        return Arrivals(
            _columns(self._records),
            [embedding.vector for embedding in self._embeddings if embedding],
            np.array([embedding is not None for embedding in self._embeddings]),
            self._documents,
        )


def _documents(entries: Sequence[Entry]) -> Documents:
    terms: list[str] = []
    frequencies: list[bytes] = []
    lengths: list[int] = []
    for entry in entries:
        document = entry.document
        text = joined(document.terms)
        if not is_whole(text, len(document.terms)):
            record = f"record {entry.record.id}"
            raise ForbiddenCharacter(record, "has a lexeme with U+001F in it", "part words there, as at a blank")
        terms.append(text)
        frequencies.append(as_bytes(document.terms.values()))
        lengths.append(document.length)
    return Documents(terms, frequencies, lengths)


def _columns(records: Sequence[MemoryRecord]) -> dict[str, Array]:
    high, low = halves(record.id for record in records)
    session_high, session_low = halves(one.origin.session_id if one.origin else NOBODY for one in records)
    return {
        "high": high,
        "low": low,
        "tier": np.array([TIERS[record.tier] for record in records], dtype=np.int8),
        "typology": np.array([TYPOLOGIES[record.typology] for record in records], dtype=np.int8),
        "valid_at": np.array([microseconds(record.validity.valid_at) for record in records]),
        "live": np.array([record.live for record in records]),
        "retired": np.array([is_retired(record) for record in records]),
        "session_high": session_high,
        "session_low": session_low,
        "position": np.array([one.origin.position if one.origin else -1 for one in records]),
    }
