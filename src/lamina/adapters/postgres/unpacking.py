"""Outlines as they come from PostgreSQL: each column as the bytes of all its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import unpack
from typing import Any, Final, overload
from uuid import UUID

from lamina.adapters.postgres.outlines import NOBODY
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.outline import NOWHERE, Outlines, spot
from lamina.domain.search import Drawn
from lamina.domain.signals import Signal
from lamina.domain.typology import CELLS

Found = dict[Signal, Mapping[MemoryId, float]]
"""What each signal found, with its scores."""
_CELLS: Final = {str(cell): place for place, cell in enumerate(CELLS)}
_ID: Final = 16
_SINCE_2000: Final = (datetime(2000, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""PostgreSQL counts its microseconds from another year."""
_NEVER: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Ids(Sequence[MemoryId]):
    """Ids as bytes: few of them are ever looked at."""

    packed: bytes

    def __len__(self) -> int:
        return len(self.packed) // _ID

    @overload
    def __getitem__(self, place: int) -> MemoryId: ...
    @overload
    def __getitem__(self, place: slice) -> list[MemoryId]: ...
    def __getitem__(self, place: int | slice) -> MemoryId | list[MemoryId]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        start = _ID * range(len(self))[place]
        return MemoryId(UUID(bytes=self.packed[start : start + _ID]))


def drawn(rows: Sequence[tuple[Any, ...]], found: Found) -> Drawn:
    """The outlines, with what the signals said of them."""
    # What nothing was put together of is NULL.
    ((cells, *columns),) = rows
    ids, valid_at, recorded_at, disposed, sessions, positions, *others = (column or b"" for column in columns)
    characters, labels, confirmations, confirmed_at = others
    count = len(ids) // _ID
    places = {one: place for place, one in enumerate(_apart(ids))}
    outlines = Outlines(
        ids=Ids(ids),
        cells=[_CELLS[cell] for cell in cells.split(",")] if cells else [],
        valid_at=_instants(valid_at, count),
        recorded_at=_instants(recorded_at, count),
        disposed=unpack(f"!{count}?", disposed),
        spots=_spots(_apart(sessions), unpack(f"!{count}i", positions)),
        characters=unpack(f"!{count}i", characters),
        labels=unpack(f"!{count}d", labels),
        confirmations=unpack(f"!{count}i", confirmations),
        confirmed_at=[None if at > _NEVER else at for at in _instants(confirmed_at, count)],
    )
    said = {signal: Said([places[id_.bytes] for id_ in some], list(some.values())) for signal, some in found.items()}
    return Drawn(outlines, said)


def _apart(ids: bytes) -> list[bytes]:
    return [ids[start : start + _ID] for start in range(0, len(ids), _ID)]


def _instants(packed: bytes, count: int) -> list[int]:
    return [at + _SINCE_2000 for at in unpack(f"!{count}q", packed)]


def _spots(sessions: Sequence[bytes], positions: Sequence[int]) -> list[int]:
    numbers = {session: number for number, session in enumerate(dict.fromkeys(sessions), 1)}
    stood = zip(sessions, positions, strict=True)
    return [NOWHERE if session == NOBODY.bytes else spot(numbers[session], position) for session, position in stood]
