"""Ids as columns of numbers: a search looks at many, and few of them are ever made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload
from uuid import UUID, SafeUUID

import numpy as np

from lamina.domain.ids import MemoryId

if TYPE_CHECKING:
    from lamina.domain.outline import Column


@dataclass(frozen=True, slots=True)
class PackedIds(Sequence[MemoryId]):
    """Each id as two numbers, which are in the order of the ids."""

    high: Column
    low: Column

    @classmethod
    def of(cls, together: bytes) -> PackedIds:
        """Ids whose bytes stand one behind another."""
        high, low = np.frombuffer(together, dtype=">u8").astype(np.uint64).reshape(-1, 2).T
        return cls(high, low)

    def __len__(self) -> int:
        return len(self.high)

    @overload
    def __getitem__(self, place: int) -> MemoryId: ...
    @overload
    def __getitem__(self, place: slice) -> PackedIds: ...
    def __getitem__(self, place: int | slice) -> MemoryId | PackedIds:
        if isinstance(place, slice):
            return PackedIds(self.high[place], self.low[place])
        return MemoryId(whole(self.high.item(place), self.low.item(place)))

    def only(self, places: Column) -> PackedIds:
        """The ids at some places."""
        return PackedIds(self.high[places], self.low[places])

    def made(self) -> list[MemoryId]:
        """All of them, one by one."""
        return list(map(whole, self.high.tolist(), self.low.tolist()))

    def lowest_first(self, places: Column) -> tuple[Column, Column]:
        """Keys of the ids at some places, higher where the id is lower."""
        return ~self.high[places], ~self.low[places]


_HALF: Final = (1 << 64) - 1
_NEW: Final[Any] = object.__new__
_SET_INT, _SET_SAFE = (vars(UUID)[name].__set__ for name in ("int", "is_safe"))
_UNKNOWN: Final = SafeUUID.unknown


def whole(high: int, low: int) -> MemoryId:
    """The id that two numbers are, whether they have a sign or not."""
    # As pickle makes one: the constructor looks at six ways of being called, and there are hundreds to be made.
    id_: MemoryId = _NEW(UUID)
    _SET_INT(id_, (high & _HALF) << 64 | low & _HALF)
    _SET_SAFE(id_, _UNKNOWN)
    return id_
