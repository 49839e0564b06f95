"""What was drawn, as it comes from PostgreSQL: each column as the bytes of all its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, overload
from uuid import UUID

import numpy as np

from lamina.adapters.postgres.drawing import Asked
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER, Column, Outlines
from lamina.domain.search import Drawn
from lamina.domain.signals import Signal

_ID: Final = 16
_SINCE_2000: Final = (datetime(2000, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""PostgreSQL counts its microseconds from another year."""


@dataclass(frozen=True, slots=True)
class Ids(Sequence[MemoryId]):
    """Ids as bytes: few of them are ever looked at."""

    packed: Sequence[bytes]

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, place: int) -> MemoryId: ...
    @overload
    def __getitem__(self, place: slice) -> Ids: ...
    def __getitem__(self, place: int | slice) -> MemoryId | Ids:
        if isinstance(place, slice):
            return Ids(self.packed[place])
        return MemoryId(UUID(bytes=self.packed[place]))


class _Row:
    """The columns of the one row, taken one after another. What nothing was put together of is NULL."""

    def __init__(self, row: Sequence[bytes | None]) -> None:
        self._columns: Iterator[bytes] = (column or b"" for column in row)

    def ids(self) -> list[bytes]:
        together = next(self._columns)
        return [together[start : start + _ID] for start in range(0, len(together), _ID)]

    def numbers(self, kind: str) -> Column:
        packed: Column = np.frombuffer(next(self._columns), dtype=f">{kind}")
        return packed.astype(kind)

    def instants(self) -> Column:
        return self.numbers("i8") + _SINCE_2000


def drawn(
    row: Sequence[bytes | None], asked: Asked, labels: int, near: Mapping[MemoryId, float] | None, *, confirmed: bool
) -> Drawn:
    """The outlines, with what the signals said of them: here, or of the nearest by another statement."""
    columns = _Row(row)
    ids, cells, valid_at, recorded_at = columns.ids(), columns.numbers("i4"), columns.instants(), columns.instants()
    disposed, spots = columns.numbers("?"), columns.numbers("i8")
    characters, asking = columns.numbers("i4"), columns.numbers("i4")
    places = {id_: place for place, id_ in enumerate(ids)}
    found = {signal: Said([places[id_] for id_ in columns.ids()], columns.numbers("f8")) for signal in asked.finding}
    if near is not None:
        found[Signal.SEMANTIC] = Said([places[id_.bytes] for id_ in near], list(near.values()))
    confirmations, confirmed_at = np.zeros(len(ids), dtype=np.int32), np.full(len(ids), NEVER)
    if confirmed:
        whom = [places[id_] for id_ in columns.ids()]
        confirmations[whom], confirmed_at[whom] = columns.numbers("i4"), columns.instants()
    shares = np.zeros(len(ids))
    if asked.labels:
        whom = [places[id_] for id_ in columns.ids()]
        shares[whom] = columns.numbers("i8") / labels
    outlines = Outlines(
        ids=Ids(ids),
        cells=cells,
        valid_at=valid_at,
        recorded_at=recorded_at,
        disposed=disposed,
        spots=spots,
        characters=characters,
        asking=asking,
        labels=shares,
        confirmations=confirmations,
        confirmed_at=confirmed_at,
    )
    return Drawn(outlines, found)
