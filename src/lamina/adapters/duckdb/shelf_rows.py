"""What a selection looks at, as columns: one row for each record of an anchor that can be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing, best, halves, whole
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate, Tombstoned
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

TIERS: Final = {tier: code for code, tier in enumerate(Tier)}
TYPOLOGIES: Final = {typology: code for code, typology in enumerate(Typology)}
NOBODY: Final = UUID(int=0)
"""The session of what was never observed."""
_MICROSECOND: Final = timedelta(microseconds=1)
COLUMNS: Final[Mapping[str, type[np.generic]]] = {
    "high": np.uint64,
    "low": np.uint64,
    "tier": np.int8,
    "typology": np.int8,
    "valid_at": np.int64,
    "live": np.bool_,
    "retired": np.bool_,
    "session_high": np.uint64,
    "session_low": np.uint64,
    "position": np.int32,
}
"""An id is two numbers. Where a record was first observed is its session and position; -1 if that is not known."""


@dataclass(frozen=True, slots=True)
class Found:
    """Rows by their places, each with its score."""

    places: Array
    scores: Array


class ShelfRows:
    """The columns. The place of a record is its row, and stays so."""

    def __init__(self) -> None:
        self._columns = {name: Growing(dtype) for name, dtype in COLUMNS.items()}
        self._gone = Growing(np.bool_)

    def __len__(self) -> int:
        return len(self._columns["high"])

    def __getitem__(self, name: str) -> Array:
        return self._columns[name].filled

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return sum(column.nbytes for column in self._columns.values())

    def append(self, columns: Mapping[str, Array]) -> None:
        """Adds rows at the end."""
        for name, column in self._columns.items():
            column.extend(columns[name])
        self._gone.extend(np.zeros(len(columns["high"]), dtype=np.bool_))

    def change(self, record: MemoryRecord) -> None:
        """Takes over a transition."""
        for place in self.places_of(record.id):
            self["live"][place], self["retired"][place] = record.live, is_retired(record)

    def remove(self, ids: Sequence[MemoryId]) -> Array:
        """Marks records as gone, so that no selection takes them; the places that they had."""
        places: Array = np.array([place for id_ in ids for place in self.places_of(id_)], dtype=np.int64)
        self._gone.filled[places] = True
        self["live"][places] = self["retired"][places] = False
        return places

    @property
    def share_gone(self) -> float:
        """How much of it is of records that are gone."""
        return float(self._gone.filled.mean()) if len(self) else 0.0

    def places_of(self, id_: MemoryId) -> list[int]:
        """The place of a record, if it is here."""
        (high,), (low,) = halves([id_])
        alike = np.flatnonzero(self["low"] == low).tolist()
        return [place for place in alike if self["high"][place] == high and not self._gone.filled[place]]

    def taken(self, selection: Selection) -> Array:
        """For each row, whether the selection takes it."""
        taken: Array = self["live"] | self["retired"] if selection.include_retired else self["live"].copy()
        if len(selection.tiers) < len(Tier):
            taken &= np.isin(self["tier"], [TIERS[tier] for tier in selection.tiers])
        if len(selection.typologies) < len(Typology):
            taken &= np.isin(self["typology"], [TYPOLOGIES[typology] for typology in selection.typologies])
        if selection.since:
            taken &= self["valid_at"] >= microseconds(selection.since)
        if selection.until:
            taken &= self["valid_at"] < microseconds(selection.until)
        return taken

    def best(self, found: Found, limit: int) -> dict[MemoryId, float]:
        """The best of what was found; among equals what became true last, then by id."""
        places = found.places
        high, low = self["high"][places], self["low"][places]
        # An inverted id is higher where the id is lower.
        chosen = best(limit, found.scores, self["valid_at"][places], ~high, ~low)
        ids = zip(high[chosen].tolist(), low[chosen].tolist(), strict=True)
        return {MemoryId(whole(*id_)): score for id_, score in zip(ids, found.scores[chosen].tolist(), strict=True)}

    def newest(self, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """What became true last, in seconds since 1970."""
        places = np.flatnonzero(self.taken(selection))
        latest = self.best(Found(places, self["valid_at"][places]), limit)
        return {id_: at / 1_000_000 for id_, at in latest.items()}

    def neighbours(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection
    ) -> dict[MemoryId, dict[MemoryId, int]]:
        """For each record, those of its session that were observed near it."""
        observed = self["position"] >= 0
        taken = self.taken(selection) & observed
        asked = {id_: place for id_ in ids for place in self.places_of(id_) if observed[place]}
        found = {id_: self._near(place, reach, taken) for id_, place in asked.items()}
        return {id_: near for id_, near in found.items() if near}

    def _near(self, place: int, reach: int, taken: Array) -> dict[MemoryId, int]:
        distances = np.abs(self["position"] - self["position"][place])
        one_session = (self["session_low"] == self["session_low"][place]) & (
            self["session_high"] == self["session_high"][place]
        )
        near = np.flatnonzero(taken & one_session & (distances <= reach))
        ids = zip(self["high"][near].tolist(), self["low"][near].tolist(), strict=True)
        each = zip(near.tolist(), ids, distances[near].tolist(), strict=True)
        return {MemoryId(whole(*id_)): distance for other, id_, distance in each if other != place}


def is_retired(record: MemoryRecord) -> bool:
    """Whether it is kept and readable, but not live."""
    return not record.live and not isinstance(record.state, Candidate | Tombstoned)


def microseconds(instant: datetime) -> int:
    """A time as a whole number."""
    return (instant - EPOCH) // _MICROSECOND
