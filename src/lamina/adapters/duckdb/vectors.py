"""The vectors of an anchor as one contiguous matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing
from lamina.adapters.duckdb.shelf_rows import Found


class Vectors:
    """The matrix, and the place of the record that each of its rows is of: not every record has a vector."""

    def __init__(self, dimension: int) -> None:
        self._matrix = Growing(np.float32, dimension)
        self._places = Growing(np.int64)

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return self._matrix.nbytes + self._places.nbytes

    def append(self, vectors: Sequence[bytes], places: Array) -> None:
        """Adds the vectors of the records at these places."""
        dimension = self._matrix.filled.shape[1]
        self._matrix.extend(np.frombuffer(b"".join(vectors), dtype=np.float32).reshape(len(vectors), dimension))
        self._places.extend(places)

    def move(self, moved: Array) -> None:
        """Takes over new places; what has none is let go of."""
        places = moved[self._places.filled]
        rows = np.flatnonzero(places >= 0)
        self._matrix.keep(rows)
        self._places.keep(rows)
        self._places.filled[:] = places[rows]

    def at(self, place: int) -> bytes | None:
        """The vector of the record at a place, if it has one. Places only go up, so that they can be searched."""
        row = np.searchsorted(self._places.filled, place)
        there = row < len(self._places) and self._places.filled[row] == place
        return self._matrix.filled[row].tobytes() if there else None

    def near(self, vector: bytes, taken: Array) -> Found:
        """How near each is of what is taken. Row by row: equal vectors have equal scores wherever they lie, which a
        product of the whole matrix does not see to, and which takes no longer."""
        matrix, places, query = self._matrix.filled, self._places.filled, np.frombuffer(vector, dtype=np.float32)
        kept = taken[places]
        if np.count_nonzero(kept) * 4 < len(matrix):
            return Found(places[kept], np.vecdot(matrix[kept], query))
        return Found(places, np.vecdot(matrix, query)).of(taken)
