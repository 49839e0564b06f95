"""All of an anchor that searches look at, in numpy: what a selection asks for, the vectors and the terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np

from lamina.adapters.duckdb.arrivals import Arrivals
from lamina.adapters.duckdb.postings import Postings
from lamina.adapters.duckdb.shelf_columns import microseconds
from lamina.adapters.duckdb.shelf_rows import Found, ShelfRows
from lamina.adapters.duckdb.vectors import Vectors
from lamina.domain.ids import MemoryId
from lamina.domain.outline import Outline
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

    def confirm(self, id_: MemoryId, at: datetime) -> None:
        """Takes over a confirmation."""
        self._rows.confirm(id_, microseconds(at))

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
        found = {id_: self._vectors.at(place) for id_ in ids for place in self._rows.places_of([id_])}
        return {id_: vector for id_, vector in found.items() if vector is not None}

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that answer the words best, of those that the selection takes."""
        return self._best(self._postings.matching(lexemes), selection, limit)

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that share most labels, of those that the selection takes."""
        return self.labelled([label(name, value) for name, value in tags.items()], selection, limit)

    def labelled(self, labels: Sequence[str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The same, of labels as terms."""
        shares = self._postings.shares(labels)
        places = np.flatnonzero(shares)
        return self._best(Found(places, shares[places]), selection, limit)

    def mentioned(self, terms: Sequence[str]) -> frozenset[str]:
        """Those of the terms that some record has."""
        return frozenset(term for term in terms if self._postings.has(term))

    def newest(self, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """What became true last, in seconds since 1970."""
        return self._rows.newest(selection, limit)

    def neighbours(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection
    ) -> dict[MemoryId, dict[MemoryId, int]]:
        """For each record, those of its session that were observed near it."""
        return self._rows.neighbours(ids, reach, selection)

    def outlines(
        self, ids: Iterable[MemoryId], labels: Sequence[str], reach: int, selection: Selection
    ) -> list[Outline]:
        """What ranking looks at, of these records and of those observed near them."""
        return self._rows.outlines(ids, reach, selection, self._postings.shares(labels) if labels else None)

    def _best(self, found: Found, selection: Selection, limit: int) -> dict[MemoryId, float]:
        taken = self._rows.taken(selection)[found.places]
        return self._rows.best(Found(found.places[taken], found.scores[taken]), limit)
