"""Sketches as they come from PostgreSQL, one behind another: what ranking looks at of records, without their words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER, NOWHERE, SESSION_BITS, Column, Outlines
from lamina.domain.packed_ids import PackedIds

SINCE_2000: Final = (datetime(2000, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""PostgreSQL counts its microseconds from another year."""
_LAYOUT: Final = np.dtype(
    [
        ("id", "V16"),
        ("session", "V16"),
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


class Places:
    """Where records are, looked up by their ids, many at once."""

    def __init__(self, ids: PackedIds) -> None:
        self._ids = ids
        self._order = np.argsort(ids.low)
        self._low = ids.low[self._order]
        equal = np.flatnonzero(self._low[1:] == self._low[:-1])
        # Hardly ever more than one: half an id is as good as a whole one, unless somebody made them so.
        self._most = 1 if not len(equal) else int(np.bincount(self._low.searchsorted(self._low)).max())

    def of(self, packed: bytes) -> Column:
        """The places of records whose ids stand one behind another; -1 for one that is not there."""
        wanted = PackedIds.of(packed)
        found = np.full(len(wanted), -1)
        if not len(self._order):
            return found
        first = self._low.searchsorted(wanted.low)
        for step in range(self._most):
            place = self._order[np.minimum(first + step, len(self._order) - 1)]
            met = (self._ids.low[place] == wanted.low) & (self._ids.high[place] == wanted.high)
            found[met] = place[met]
        return found


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

    def ids(self) -> PackedIds:
        """The ids of the records."""
        return PackedIds.of(self.columns["id"].tobytes())

    def outlines(self, ids: PackedIds) -> Outlines:
        """The outlines of the records with these ids; what labels and confirmations say is still to be filled in."""
        columns = self.columns
        given: dict[str, Column | int] = {
            **{name: columns[name] for name in ("cell", "disposed", "characters", "asking")},
            **{name: columns[name] + SINCE_2000 for name in ("valid_at", "recorded_at")},
            "high": ids.high,
            "low": ids.low,
            "spot": _spots(columns["session"].tobytes(), columns["position"].astype(np.int64)),
            "confirmations": 0,
            "confirmed_at": NEVER,
        }
        return Outlines.by(given, len(columns))


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
