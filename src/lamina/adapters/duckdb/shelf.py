"""All of an anchor that searches look at, in numpy: what a selection asks for, the vectors and the terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from lamina.adapters.duckdb.arrivals import Arrivals
from lamina.adapters.duckdb.postings import Postings
from lamina.adapters.duckdb.shelf_rows import Found, ShelfRows
from lamina.adapters.duckdb.vectors import Vectors
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.terms import label


class Shelf:
    """One anchor's searchable memory."""

    def __init__(self, dimension: int) -> None:
        self._rows = ShelfRows()
        self._vectors = Vectors(dimension)
        self._postings = Postings()

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self._rows.nbytes + self._vectors.nbytes + self._postings.nbytes

    def append(self, new: Arrivals) -> None:
        """Adds records at the end."""
        first = len(self._rows)
        self._rows.append(new.columns)
        self._vectors.append(new.vectors, first + np.flatnonzero(new.have_vectors))
        self._postings.append(new.documents)

    def change(self, record: MemoryRecord) -> None:
        """Takes over a transition."""
        self._rows.change(record)

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """Lets go of records whose scope has ended."""
        self._postings.remove(self._rows.remove(ids))

    @property
    def is_worn(self) -> bool:
        """Whether so much of it is gone that it is better loaded anew."""
        return self._rows.share_gone > 0.5

    def nearest(self, vector: bytes, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The most similar records that the selection takes."""
        return self._rows.best(self._vectors.nearest(vector, self._rows.taken(selection), limit), limit)

    def vectors(self, ids: Iterable[MemoryId]) -> dict[MemoryId, bytes]:
        """The vectors of these records, for each that has one."""
        found = {id_: self._vectors.at(place) for id_ in ids for place in self._rows.places_of(id_)}
        return {id_: vector for id_, vector in found.items() if vector is not None}

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that answer the words best, of those that the selection takes."""
        return self._best(self._postings.matching(lexemes), selection, limit)

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that share most labels, of those that the selection takes."""
        labels = [label(name, value) for name, value in tags.items()]
        return self._best(self._postings.sharing(labels), selection, limit)

    def newest(self, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """What became true last, in seconds since 1970."""
        return self._rows.newest(selection, limit)

    def neighbours(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection
    ) -> dict[MemoryId, dict[MemoryId, int]]:
        """For each record, those of its session that were observed near it."""
        return self._rows.neighbours(ids, reach, selection)

    def _best(self, found: Found, selection: Selection, limit: int) -> dict[MemoryId, float]:
        taken = self._rows.taken(selection)[found.places]
        return self._rows.best(Found(found.places[taken], found.scores[taken]), limit)
