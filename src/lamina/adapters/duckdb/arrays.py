"""Arrays that grow, and ids as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import numpy as np

from lamina.domain.packed_ids import PackedIds

Array = np.ndarray[Any, Any]


class Growing:
    """An array that grows by doubling, so that an append costs what it appends."""

    def __init__(self, dtype: type[np.generic], *row: int) -> None:
        self._count = 0
        self._room: Array = np.empty((16, *row), dtype=dtype)

    def __len__(self) -> int:
        return self._count

    @property
    def filled(self) -> Array:
        """What was appended so far. It is no copy: writing to it writes here."""
        return self._room[: self._count]

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self._room.nbytes

    def keep(self, rows: Array) -> None:
        """Lets go of all but these rows."""
        self._room = self.filled[rows]
        self._count = len(self._room)

    def extend(self, values: Array) -> None:
        """Adds rows at the end."""
        start, end = self._count, self._count + len(values)
        if end > len(self._room):
            room: Array = np.empty((max(end, 2 * len(self._room), 16), *self._room.shape[1:]), dtype=self._room.dtype)
            room[:start] = self._room[:start]
            self._room = room
        self._room[start:end] = values
        self._count = end


def halves(ids: Iterable[UUID]) -> tuple[Array, Array]:
    """Ids as two numbers each, which numpy can compare; in the order of the ids."""
    return _halved(b"".join([one.bytes for one in ids]))


def halves_of_texts(texts: Iterable[str]) -> tuple[Array, Array]:
    """The same of ids that are written out, as DuckDB gives them away fastest."""
    return _halved(bytes.fromhex("".join(texts).replace("-", "")))


def as_texts(ids: Iterable[UUID]) -> list[str]:
    """Ids written out, as DuckDB takes them in fastest."""
    together = b"".join([one.bytes for one in ids]).hex()
    return [together[start : start + 32] for start in range(0, len(together), 32)]


def _halved(together: bytes) -> tuple[Array, Array]:
    ids = PackedIds.of(together)
    return ids.high, ids.low
