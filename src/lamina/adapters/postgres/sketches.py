"""Sketches as they come from PostgreSQL, one behind another: what ranking looks at of records, without their words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER, NOWHERE, SESSION_BITS, Column, Outlines
from lamina.domain.packed_ids import PackedIds

ID: Final = 16
SINCE_2000: Final = (datetime(2000, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""PostgreSQL counts its microseconds from another year."""
_LAYOUT: Final = np.dtype(
    [
        ("id", ">u8", 2),
        ("session", ">u8", 2),
        ("valid_at", ">i8"),
        ("recorded_at", ">i8"),
        ("position", ">i4"),
        ("characters", ">i4"),
        ("asking", ">i4"),
        ("version", ">i4"),
        ("cell", ">i2"),
        ("disposed", "?"),
    ]
)
"""As `sketch.sql` packs them."""


class Places(dict[bytes, int]):
    """Where records are, by the bytes of their ids; -1 for one that is not there."""

    def __missing__(self, _: bytes) -> int:
        return -1

    def of(self, ids: bytes) -> Column:
        """The places of records whose ids stand one behind another."""
        each = each_id(ids)
        return np.fromiter(map(self.__getitem__, each), dtype=np.intp, count=len(each))


@dataclass(frozen=True, slots=True)
class Sketches:
    """Some sketches, by columns."""

    columns: Column

    @classmethod
    def of(cls, packed: bytes) -> Sketches:
        """Those that were put one behind another."""
        return cls(np.frombuffer(packed, dtype=_LAYOUT))

    def __len__(self) -> int:
        return len(self.columns)

    def only(self, taken: Column) -> Sketches:
        """Those that are taken."""
        return self if taken.all() else Sketches(self.columns[taken])

    def places(self) -> Places:
        """The place of each record, by the bytes of its id."""
        return Places(zip(each_id(self.columns["id"].tobytes()), range(len(self)), strict=True))

    def ids(self) -> PackedIds:
        """The ids of the records."""
        halves = self.columns["id"].astype(np.uint64)
        return PackedIds(halves[:, 0], halves[:, 1])

    def outlines(self) -> Outlines:
        """The outlines of the records; what labels and confirmations say is still to be filled in."""
        columns = self.columns
        return Outlines(
            ids=self.ids(),
            cells=columns["cell"].astype(np.intp),
            valid_at=columns["valid_at"] + SINCE_2000,
            recorded_at=columns["recorded_at"] + SINCE_2000,
            disposed=columns["disposed"],
            spots=_spots(columns["session"].tobytes(), columns["position"].astype(np.int64)),
            characters=columns["characters"].astype(np.int64),
            asking=columns["asking"].astype(np.int64),
            labels=np.zeros(len(columns)),
            confirmations=np.zeros(len(columns), dtype=np.int64),
            confirmed_at=np.full(len(columns), NEVER),
        )


def each_id(packed: bytes) -> list[bytes]:
    """Ids that were put one behind another, each by its bytes."""
    apart: list[bytes] = np.frombuffer(packed, dtype=f"V{ID}").tolist()
    return apart


def numbers(packed: bytes | None, kind: str) -> Column:
    """Numbers that were put one behind another; what nothing was put together of is NULL."""
    together: Column = np.frombuffer(packed or b"", dtype=f">{kind}")
    return together.astype(kind)


def _spots(packed: bytes, positions: Column) -> Column:
    """Where each was first observed. What one session holds mostly comes in a row, and is looked up once."""
    if not len(positions):
        return positions
    high, low = np.frombuffer(packed, dtype=np.uint64).reshape(-1, 2).T
    begins = np.empty(len(positions), dtype=np.bool_)
    begins[0] = True
    np.not_equal(high[1:], high[:-1], out=begins[1:])
    begins[1:] |= low[1:] != low[:-1]
    known: dict[tuple[int, int], int] = {}
    each = [
        known.setdefault(session, len(known) + 1)
        for session in zip(high[begins].tolist(), low[begins].tolist(), strict=True)
    ]
    session = np.array(each)[begins.cumsum() - 1]
    return np.where(positions < 0, NOWHERE, session << SESSION_BITS | positions)
