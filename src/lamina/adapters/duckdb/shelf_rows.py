"""What a selection looks at, as columns: one row for each record of an anchor that can be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing, best, halves, whole
from lamina.adapters.duckdb.shelf_columns import (
    COLUMNS,
    NEVER,
    STATE,
    TIERS,
    TYPOLOGIES,
    microseconds,
)
from lamina.adapters.duckdb.shelf_places import ShelfPlaces
from lamina.domain.as_of import AsOf
from lamina.domain.ids import MemoryId
from lamina.domain.outline import Outline
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology


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
        self._places = ShelfPlaces()

    def __len__(self) -> int:
        return len(self._columns["high"])

    def __getitem__(self, name: str) -> Array:
        return self._columns[name].filled

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return sum(column.nbytes for column in self._columns.values()) + self._places.nbytes

    def append(self, columns: Mapping[str, Array]) -> None:
        """Adds rows at the end."""
        for name, column in self._columns.items():
            column.extend(columns[name])
        self._gone.extend(np.zeros(len(columns["high"]), dtype=np.bool_))

    def change(self, record: MemoryRecord) -> None:
        """Takes over a transition."""
        for place in self.places_of([record.id]):
            for name, of in STATE.items():
                self[name][place] = of(record)

    def confirm(self, id_: MemoryId, at: int) -> None:
        """Takes over a confirmation."""
        for place in self.places_of([id_]):
            last = self["confirmed_at"][place]
            self["confirmed_at"][place] = at if last == NEVER else max(at, last)
            self["confirmations"][place] += 1

    def remove(self, ids: Sequence[MemoryId]) -> Array:
        """Marks records as gone, so that no selection takes them; the places that they had."""
        places: Array = np.array(self.places_of(ids), dtype=np.int64)
        self._gone.filled[places] = True
        self["live"][places] = self["retired"][places] = False
        return places

    @property
    def share_gone(self) -> float:
        """How much of it is of records that are gone."""
        return float(self._gone.filled.mean()) if len(self) else 0.0

    def places_of(self, ids: Iterable[MemoryId]) -> list[int]:
        """The places of those of the records that are here."""
        if self._places.known < len(self):
            self._places.learn({name: self[name] for name in COLUMNS}, len(self))
        gone = self._gone.filled
        places = (self._places.of(id_) for id_ in ids)
        return [place for place in places if place is not None and not gone[place]]

    def taken(self, selection: Selection) -> Array:
        """For each row, whether the selection takes it."""
        taken = self._surfaced(selection)
        if len(selection.tiers) < len(Tier):
            taken &= np.isin(self["tier"], [TIERS[tier] for tier in selection.tiers])
        if len(selection.typologies) < len(Typology):
            taken &= np.isin(self["typology"], [TYPOLOGIES[typology] for typology in selection.typologies])
        if selection.since:
            taken &= self["valid_at"] >= microseconds(selection.since)
        if selection.until:
            taken &= self["valid_at"] < microseconds(selection.until)
        if selection.session_id:
            (high,), (low,) = halves([selection.session_id])
            taken &= (self["session_low"] == low) & (self["session_high"] == high) & (self["position"] >= 0)
        return taken

    def _surfaced(self, selection: Selection) -> Array:
        if selection.as_of:
            return self._as_of(selection.as_of)
        surfaced: Array = self["live"] | self["retired"] if selection.include_retired else self["live"].copy()
        return surfaced

    def _as_of(self, then: AsOf) -> Array:
        known, valid = microseconds(then.known_at), microseconds(then.valid_at)
        end = np.where(self["invalidated_at"] > known, self["former_end"], self["invalid_at"])
        # Of what is not invalidated, no former end is known: its own counts.
        end = np.where(self["invalidated_at"] == NEVER, self["invalid_at"], end)
        end = np.where(self["superseded_at"] <= known, np.minimum(self["superseded_at"], end), end)
        taken: Array = (self["live"] | self["retired"]) & (self["known_at"] <= known) & (self["archived_at"] > known)
        return taken & (self["valid_at"] <= valid) & (end > valid)

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
        taken, position = self.taken(selection), self["position"]
        found = {}
        for place in self.places_of(ids):
            near = [other for other in self._beside([place], reach) if other != place and taken[other]]
            if near:
                found[self._id(place)] = {
                    self._id(other): abs(int(position[other]) - int(position[place])) for other in near
                }
        return found

    def outlines(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection, shares: Array | None
    ) -> list[Outline]:
        """The outlines of records and of what stands beside them; `shares` is each row's share of the labels."""
        asked = self.places_of(ids)
        around = {*asked, *self._beside(asked, reach)}
        places: Array = np.fromiter(around, dtype=np.int64, count=len(around))
        places = places[self.taken(selection)[places]]
        given = [self[name][places].tolist() for name in _OUTLINED]
        labels = shares[places].tolist() if shares is not None else [0.0] * len(places)
        return [_outline(*row) for row in zip(*given, labels, strict=True)]

    def _beside(self, places: Sequence[int], reach: int) -> list[int]:
        """The places of what was first observed where these were in their sessions, or near that. None is gone."""
        wanted: Array = np.array(places, dtype=np.int64)
        columns = [self[name][wanted].tolist() for name in ("session_high", "session_low", "position")]
        stood = [(high << 64 | low, position) for high, low, position in zip(*columns, strict=True) if position >= 0]
        gone = self._gone.filled
        return [other for other in self._places.around(stood, reach) if not gone[other]]

    def _id(self, place: int) -> MemoryId:
        return MemoryId(whole(int(self["high"][place]), int(self["low"][place])))


_OUTLINED = (
    "high",
    "low",
    "tier",
    "typology",
    "valid_at",
    "recorded_at",
    "disposed",
    "session_high",
    "session_low",
    "position",
    "characters",
    "confirmations",
    "confirmed_at",
)
_TIERS, _TYPOLOGIES = list(Tier), list(Typology)


def _outline(  # noqa: PLR0913, PLR0917 (a row, column by column)
    high: int,
    low: int,
    tier: int,
    typology: int,
    valid_at: int,
    recorded_at: int,
    disposed: bool,  # noqa: FBT001
    session_high: int,
    session_low: int,
    position: int,
    characters: int,
    confirmations: int,
    confirmed_at: int,
    labels: float,
) -> Outline:
    return Outline(
        MemoryId(whole(high, low)),
        _TIERS[tier],
        _TYPOLOGIES[typology],
        valid_at,
        recorded_at,
        disposed,
        session_high << 64 | session_low if position >= 0 else None,
        position,
        characters,
        labels,
        confirmations,
        None if confirmed_at == NEVER else confirmed_at,
    )
