"""The vectors of an anchor as one contiguous matrix: loaded when first asked for, appended in place."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import numpy as np

from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate, Tombstoned
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

Array = np.ndarray[Any, Any]
MOST_BYTES: Final = 1 << 30
_TIERS: Final = {tier: code for code, tier in enumerate(Tier)}
_TYPOLOGIES: Final = {typology: code for code, typology in enumerate(Typology)}


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A vector, and what a selection looks at."""

    id: MemoryId
    vector: bytes
    tier: Tier
    typology: Typology
    valid_at: datetime
    live: bool
    retired: bool

    @classmethod
    def of(cls, record: MemoryRecord, vector: bytes) -> VectorRow:
        """The row of a record."""
        retired = not record.live and not isinstance(record.state, Candidate | Tombstoned)
        return cls(record.id, vector, record.tier, record.typology, record.validity.valid_at, record.live, retired)


class Collection:
    """One anchor's matrix, with a column for each thing that a selection looks at."""

    def __init__(self, dimension: int) -> None:
        self._count = 0
        self._matrix = np.empty((64, dimension), dtype=np.float32)
        self._columns: dict[str, Array] = {
            "tier": np.empty(64, dtype=np.int8),
            "typology": np.empty(64, dtype=np.int8),
            "valid_at": np.empty(64, dtype=np.int64),
            "live": np.empty(64, dtype=bool),
            "retired": np.empty(64, dtype=bool),
        }
        self._ids: list[MemoryId] = []
        self._places: dict[UUID, int] = {}

    @property
    def nbytes(self) -> int:
        """What it takes in memory, but for the ids."""
        return self._matrix.nbytes

    def append(self, rows: list[VectorRow]) -> None:
        """Adds rows at the end; the matrix grows by doubling, so an append costs what it appends."""
        start, end = self._count, self._count + len(rows)
        self._reserve(end)
        dimension = self._matrix.shape[1]
        vectors = np.frombuffer(b"".join(row.vector for row in rows), dtype=np.float32)
        self._matrix[start:end] = vectors.reshape(len(rows), dimension)
        for name, values in _values(rows).items():
            self._columns[name][start:end] = values
        self._places.update((row.id, start + index) for index, row in enumerate(rows))
        self._ids.extend(row.id for row in rows)
        self._count = end

    def change(self, record: MemoryRecord) -> None:
        """Takes over a transition, if the record has a vector here."""
        place = self._places.get(record.id)
        if place is not None:
            row = VectorRow.of(record, b"")
            self._columns["live"][place], self._columns["retired"][place] = row.live, row.retired

    def nearest(self, vector: bytes, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The most similar rows that the selection takes: one product, one mask, one partial sort."""
        places = np.flatnonzero(self._mask(selection))
        scores = (self._matrix[: self._count] @ np.frombuffer(vector, dtype=np.float32))[places]
        if limit < len(places):
            best = np.argpartition(-scores, limit - 1)[:limit] if limit else np.empty(0, dtype=np.int64)
            places, scores = places[best], scores[best]
        return {self._ids[place]: float(score) for place, score in zip(places, scores, strict=True)}

    def _mask(self, selection: Selection) -> Array:
        columns = {name: column[: self._count] for name, column in self._columns.items()}
        mask: Array = columns["live"] | columns["retired"] if selection.include_retired else columns["live"].copy()
        if len(selection.tiers) < len(Tier):
            mask &= np.isin(columns["tier"], [_TIERS[tier] for tier in selection.tiers])
        if len(selection.typologies) < len(Typology):
            mask &= np.isin(columns["typology"], [_TYPOLOGIES[typology] for typology in selection.typologies])
        if selection.since:
            mask &= columns["valid_at"] >= _microseconds(selection.since)
        if selection.until:
            mask &= columns["valid_at"] < _microseconds(selection.until)
        return mask

    def _reserve(self, count: int) -> None:
        size = len(self._matrix)
        if count > size:
            more = max(count, 2 * size) - size
            self._matrix = np.concatenate([self._matrix, np.empty((more, self._matrix.shape[1]), dtype=np.float32)])
            for name, column in self._columns.items():
                self._columns[name] = np.concatenate([column, np.empty(more, dtype=column.dtype)])


class Collections:
    """The matrices of the anchors that were asked for last, as many as fit."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._loaded: OrderedDict[AnchorId, Collection] = OrderedDict()

    def get(self, anchor_id: AnchorId, load: Callable[[], list[VectorRow]]) -> Collection:
        """The anchor's matrix, loaded if need be."""
        if anchor_id not in self._loaded:
            collection = Collection(self._dimension)
            collection.append(load())
            self._loaded[anchor_id] = collection
        self._loaded.move_to_end(anchor_id)
        while len(self._loaded) > 1 and sum(one.nbytes for one in self._loaded.values()) > MOST_BYTES:
            self._loaded.popitem(last=False)
        return self._loaded[anchor_id]

    def loaded(self, anchor_id: AnchorId) -> Collection | None:
        """The anchor's matrix, if it is loaded: what is not, needs no upkeep."""
        return self._loaded.get(anchor_id)

    def forget(self, anchor_id: AnchorId) -> None:
        """Lets go of a matrix that may say what was undone."""
        self._loaded.pop(anchor_id, None)


def _values(rows: list[VectorRow]) -> dict[str, list[Any]]:
    return {
        "tier": [_TIERS[row.tier] for row in rows],
        "typology": [_TYPOLOGIES[row.typology] for row in rows],
        "valid_at": [_microseconds(row.valid_at) for row in rows],
        "live": [row.live for row in rows],
        "retired": [row.retired for row in rows],
    }


def _microseconds(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)
