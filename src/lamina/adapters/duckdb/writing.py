"""Records on their way in: as columns for the tables, and as rows for a shelf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina.adapters.duckdb.arrivals import Arrivals, Documents, as_bytes, is_whole, joined
from lamina.adapters.duckdb.shelf_columns import columns_of
from lamina.domain.errors import ForbiddenCharacter
from lamina.domain.ids import AnchorId
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
            columns_of(self._records),
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
