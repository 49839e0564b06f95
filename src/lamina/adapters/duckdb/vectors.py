"""The vectors of an anchor as one contiguous matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing
from lamina.adapters.duckdb.shelf_rows import Found
from lamina.domain.foremost import foremost

_NEARLY: Final = np.float32(1e-5)
"""More than a product's last bits, which depend on where in the matrix a vector lies."""


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

    def nearest(self, vector: bytes, taken: Array, limit: int) -> Found:
        """At least the `limit` most similar of what is taken: one product, one partial sort."""
        matrix, query = self._matrix.filled, np.frombuffer(vector, dtype=np.float32)
        wanted = taken[self._places.filled]
        count = int(np.count_nonzero(wanted))
        rows: Array = np.flatnonzero(wanted) if count * 4 < len(matrix) else np.arange(len(matrix))
        scores: Array = matrix @ query if len(rows) == len(matrix) else matrix[rows] @ query
        if count < len(rows):
            scores[~wanted] = -np.inf
        high = scores[foremost(scores, limit)]
        enough = min(limit, count)
        last = np.partition(high, -enough)[-enough] if enough else np.inf
        rows = rows[scores >= last - _NEARLY]
        # Row by row, so that equal vectors have equal scores wherever they lie.
        return Found(self._places.filled[rows], (matrix[rows] * query).sum(axis=1))
