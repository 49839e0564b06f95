"""What may answer a query, one method a signal. A store removes rows; the domain orders what is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lamina.domain.ids import MemoryId
from lamina.domain.selection import Selection


class Candidates(Protocol):
    """Answers with scores, higher is better. If the selection takes k records or more, k come back."""

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine. Vectors of another model are not looked at."""
        ...

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        ...
