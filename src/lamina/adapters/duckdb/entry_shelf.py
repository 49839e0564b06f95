"""One persona's long-term memory in numpy: what a filter asks for, the vectors and the terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing, halves
from lamina.adapters.duckdb.arrivals import Documents
from lamina.adapters.duckdb.postings import Postings
from lamina.adapters.duckdb.shelf_columns import microseconds
from lamina.adapters.duckdb.shelf_rows import Found
from lamina.adapters.duckdb.vectors import Vectors
from lamina.domain.bm25 import weigh
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.foremost import best
from lamina.domain.long_term import EntryId, EventFilter
from lamina.domain.packed_ids import PackedIds

KINDS: Final = {kind: code for code, kind in enumerate(EventKind)}
VISIBILITIES: Final = {one: code for code, one in enumerate(EventVisibility)}
COLUMNS: Final[Mapping[str, type[np.generic]]] = {
    "high": np.uint64,
    "low": np.uint64,
    "loop_high": np.uint64,
    "loop_low": np.uint64,
    "kind": np.int8,
    "visibility": np.int8,
    "ts": np.int64,
}


class EntryShelf:
    """The entries that can be found. Those that wait for their vector are found by their words."""

    def __init__(self, dimension: int) -> None:
        self._columns = {name: Growing(dtype) for name, dtype in COLUMNS.items()}
        self._vectors = Vectors(dimension)
        self._postings = Postings()
        self.last_position = -1
        self.derived = 0

    def __len__(self) -> int:
        return len(self._columns["high"])

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        columns = sum(column.nbytes for column in self._columns.values())
        return columns + self._vectors.nbytes + self._postings.nbytes

    def append(self, columns: Mapping[str, Array], vectors: Sequence[bytes | None], documents: Documents) -> None:
        """Adds entries at the end."""
        first = len(self)
        for name, column in self._columns.items():
            column.extend(columns[name])
        have = np.array([vector is not None for vector in vectors])
        given = [vector for vector in vectors if vector is not None]
        if given:
            self._vectors.append(given, first + np.flatnonzero(have))
        self._postings.append(documents)
        self.derived += len(given)

    def nearest(self, vector: bytes, chosen: EventFilter, limit: int) -> dict[EntryId, float]:
        """The most similar entries that the filter takes."""
        return self._best(self._vectors.near(vector, self._taken(chosen)), limit)

    def matching(self, lexemes: Sequence[str], chosen: EventFilter, limit: int) -> dict[EntryId, float]:
        """The entries that answer the words best, of those that the filter takes."""
        weighing = weigh(lexemes, self._postings.counts(lexemes))
        found = self._postings.matching(self._postings.word_by_word(weighing))
        return self._best(found.of(self._taken(chosen)), limit)

    def _taken(self, chosen: EventFilter) -> Array:
        held = {name: column.filled for name, column in self._columns.items()}
        taken: Array = np.ones(len(self), dtype=np.bool_)
        if len(chosen.kinds) < len(EventKind):
            taken &= np.isin(held["kind"], [KINDS[kind] for kind in chosen.kinds])
        if len(chosen.visibilities) < len(EventVisibility):
            taken &= np.isin(held["visibility"], [VISIBILITIES[one] for one in chosen.visibilities])
        if chosen.loop_id is not None:
            (high,), (low,) = halves([chosen.loop_id])
            taken &= (held["loop_high"] == high) & (held["loop_low"] == low)
        if chosen.since is not None:
            taken &= held["ts"] >= microseconds(chosen.since)
        if chosen.until is not None:
            taken &= held["ts"] < microseconds(chosen.until)
        return taken

    def _best(self, found: Found, limit: int) -> dict[EntryId, float]:
        places = found.places
        high, low, ts = (self._columns[name].filled[places] for name in ("high", "low", "ts"))
        ids = PackedIds(high, low)
        rows = best(limit, found.scores, lambda tied: (ts[tied], *ids.lowest_first(tied)))
        return {EntryId(id_): score for id_, score in zip(ids.only(rows), found.scores[rows].tolist(), strict=True)}
