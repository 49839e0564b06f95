"""Arrays that grow, the best of many rows, and ids as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID, SafeUUID

import numpy as np

Array = np.ndarray[Any, Any]
_BLOCK: Final = 64


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


def best(limit: int, *keys: Array) -> Array:
    """Where the best rows are: those with the highest first key, among equals the highest second, and so on.

    Only what is equal at the limit is looked at by the next key, and nothing is sorted.
    """
    pool = foremost(keys[0], limit)
    sure = [pool[:0]]
    for key in keys:
        if len(pool) <= limit or not limit:
            break
        values = key[pool]
        last = np.partition(values, len(pool) - limit)[len(pool) - limit]
        sure.append(pool[values > last])
        limit -= len(sure[-1])
        pool = pool[values == last]
    return np.concatenate([*sure, pool[:limit]])


def foremost(values: Array, limit: int) -> Array:
    """Where the highest values are: at least so many, if there are, and not many more of a great number."""
    blocks = len(values) // _BLOCK
    if not 0 < limit <= blocks:
        return np.arange(len(values))
    # The highest of a block is one of the values: what the best blocks reach, at least as many values reach.
    highest = values[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    return np.flatnonzero(values >= np.partition(highest, blocks - limit)[blocks - limit])


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
    numbers: Array = np.frombuffer(together, dtype=">u8").astype(np.uint64).reshape(-1, 2)
    return numbers[:, 0], numbers[:, 1]


def whole(high: int, low: int) -> UUID:
    """The id that two numbers are."""
    # As pickle makes one: the constructor looks at six ways of being called, and there are hundreds to be made.
    id_ = object.__new__(UUID)
    object.__setattr__(id_, "int", (high << 64) | low)
    object.__setattr__(id_, "is_safe", SafeUUID.unknown)
    return id_
