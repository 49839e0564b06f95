"""What was drawn, as it comes from PostgreSQL: each column as the bytes of all its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import unpack
from typing import Any, Final, overload
from uuid import UUID

from lamina.adapters.postgres.drawing import Asked
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.outline import Outlines
from lamina.domain.search import Drawn
from lamina.domain.signals import Signal

NEVER: Final[tuple[int, int | None]] = (0, None)
"""How often, and when last, somebody confirmed what nobody confirmed."""
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

    def numbers(self, kind: str, size: int) -> tuple[Any, ...]:
        together = next(self._columns)
        return unpack(f"!{len(together) // size}{kind}", together)

    def instants(self) -> list[int]:
        return [at + _SINCE_2000 for at in self.numbers("q", 8)]


def drawn(
    row: Sequence[bytes | None], asked: Asked, labels: int, near: Mapping[MemoryId, float] | None, *, confirmed: bool
) -> Drawn:
    """The outlines, with what the signals said of them: here, or of the nearest by another statement."""
    columns = _Row(row)
    ids, cells, valid_at, recorded_at = columns.ids(), columns.numbers("i", 4), columns.instants(), columns.instants()
    disposed, spots, characters = columns.numbers("?", 1), columns.numbers("q", 8), columns.numbers("i", 4)
    found = {signal: (columns.ids(), columns.numbers("d", 8)) for signal in asked.finding}
    spoken = _spoken(columns) if confirmed else {}
    having = dict(zip(columns.ids(), columns.numbers("q", 8), strict=True)) if asked.labels else {}
    if near is not None:
        found[Signal.SEMANTIC] = [id_.bytes for id_ in near], tuple(near.values())
    told = [spoken.get(id_, NEVER) for id_ in ids] if spoken else [NEVER] * len(ids)
    outlines = Outlines(
        ids=Ids(ids),
        cells=cells,
        valid_at=valid_at,
        recorded_at=recorded_at,
        disposed=disposed,
        spots=spots,
        characters=characters,
        labels=[having.get(id_, 0) / labels for id_ in ids] if having else [0.0] * len(ids),
        confirmations=[times for times, _ in told],
        confirmed_at=[last for _, last in told],
    )
    places = {id_: place for place, id_ in enumerate(ids)}
    said = {signal: Said([places[id_] for id_ in some], scores) for signal, (some, scores) in found.items()}
    return Drawn(outlines, said)


def _spoken(columns: _Row) -> dict[bytes, tuple[int, int | None]]:
    """Who was confirmed, how often and when last."""
    whom, times, last = columns.ids(), columns.numbers("i", 4), columns.instants()
    return dict(zip(whom, zip(times, last, strict=True), strict=True))
