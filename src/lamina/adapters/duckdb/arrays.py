"""Arrays that grow, and ids as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


class Table:
    """Columns of whole numbers that grow together, so that all of them are taken out at once."""

    def __init__(self, names: Sequence[str]) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._count = 0
        self._room: Array = np.empty((len(names), 16), dtype=np.int64)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: str) -> Array:
        """One column. It is no copy: writing to it writes here."""
        return self._room[self._places[name], : self._count]

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self._room.nbytes

    def first(self, columns: int, rows: Array) -> Array:
        """Some rows of so many columns, from the first one on, as columns of their own."""
        # With the room that is not filled yet: else numpy would copy the whole table before it takes these.
        return self._room[:columns].take(rows, axis=1)

    def keep(self, rows: Array) -> None:
        """Lets go of all but these rows."""
        self._room = self._room.take(rows, axis=1)
        self._count = len(rows)

    def extend(self, columns: Mapping[str, Array]) -> None:
        """Adds rows at the end; whatever else is among the columns is left."""
        start, end = self._count, self._count + len(columns[next(iter(self._places))])
        if end > self._room.shape[1]:
            room: Array = np.empty((len(self._places), max(end, 2 * self._room.shape[1], 16)), dtype=np.int64)
            room[:, :start] = self._room[:, :start]
            self._room = room
        for name, place in self._places.items():
            self._room[place, start:end] = columns[name]
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
