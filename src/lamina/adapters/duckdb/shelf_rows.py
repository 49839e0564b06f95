"""What a selection looks at, as columns: one row for each record of an anchor that can be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing
from lamina.adapters.duckdb.shelf_columns import (
    ARRIVING,
    COLUMNS,
    STATE,
    TIERS,
    TYPOLOGIES,
    microseconds,
)
from lamina.adapters.duckdb.shelf_places import Sessions, ShelfPlaces
from lamina.domain.as_of import AsOf
from lamina.domain.foremost import best
from lamina.domain.ids import MemoryId
from lamina.domain.outline import NEVER, NOWHERE, Outlines
from lamina.domain.packed_ids import PackedIds
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology


@dataclass(frozen=True, slots=True)
class Found:
    """Rows by their places, each with its score."""

    places: Array
    scores: Array

    def of(self, taken: Array) -> Found:
        """But for what is not taken."""
        kept = taken[self.places]
        return Found(self.places[kept], self.scores[kept])


NONE = Found(np.empty(0, dtype=np.int64), np.empty(0))


class ShelfRows:
    """The columns. The place of a record is its row, and stays so until the rows move together."""

    def __init__(self) -> None:
        self._columns = {name: Growing(dtype) for name, dtype in COLUMNS.items()}
        self._gone = Growing(np.bool_)
        self._places = ShelfPlaces()
        self._sessions = Sessions()

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
        given = {**columns, "spot": self._sessions.spots(*(columns[name] for name in ARRIVING))}
        for name, column in self._columns.items():
            column.extend(given[name])
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
        self._places.leave(self["spot"][places], places)
        self["spot"][places] = NOWHERE
        return places

    def compact(self) -> Array:
        """Lets go of the rows of what is gone: for each place the one that its record has now, or -1."""
        kept = np.flatnonzero(~self._gone.filled)
        moved: Array = np.full(len(self), -1)
        moved[kept] = np.arange(len(kept))
        for column in (*self._columns.values(), self._gone):
            column.keep(kept)
        self._places = ShelfPlaces()
        return moved

    @property
    def share_gone(self) -> float:
        """How much of it is of records that are gone."""
        return float(self._gone.filled.mean()) if len(self) else 0.0

    def places_of(self, ids: Iterable[MemoryId]) -> list[int]:
        """The places of those of the records that are here."""
        gone, known = self._gone.filled, self._known()
        places = (known.of(id_) for id_ in ids)
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
            first, end = self._sessions.between(selection.session_id)
            taken &= (self["spot"] >= first) & (self["spot"] < end)
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

    def best(self, found: Found, limit: int) -> Found:
        """The best of what was found; among equals what became true last, then by id."""
        places = found.places
        if len(places) > limit:
            chosen = best(limit, found.scores, lambda tied: self._ties(places[tied]))
            found = Found(places[chosen], found.scores[chosen])
        return found

    def newest(self, taken: Array, limit: int) -> Found:
        """What became true last of what is taken."""
        places = np.flatnonzero(taken)
        return self.best(Found(places, self["valid_at"][places]), limit)

    def named(self, found: Found) -> dict[MemoryId, float]:
        """What was found, by its ids."""
        return dict(zip(self._ids(found.places), found.scores.tolist(), strict=True))

    def around(self, several: Sequence[Array], reach: int, taken: Array) -> Array:
        """The places of some rows, and of what stands beside them: what is taken of it, in order."""
        here: Array = np.concatenate([NONE.places, *several])
        stood = here[self["spot"][here] != NOWHERE]
        away = np.arange(-reach, reach + 1)
        wanted = self["spot"][stood][:, None] + away
        # Who was observed one after another mostly stands so here too; whoever does not is looked up.
        likely = (stood[:, None] + away) % max(len(taken), 1)
        there = self["spot"][likely] == wanted
        chosen: Array = np.zeros(len(taken), dtype=np.bool_)
        chosen[here] = chosen[likely[there]] = True
        chosen[self._known().at(wanted[~there].tolist(), besides=wanted[there])] = True
        return np.flatnonzero(chosen & taken)

    def outlines(self, places: Array, labels: Array) -> Outlines:
        """What ranking looks at of the rows at these places."""
        return Outlines(
            ids=self._ids(places),
            cells=self["tier"][places] * len(TYPOLOGIES) + self["typology"][places],
            valid_at=self["valid_at"][places],
            recorded_at=self["recorded_at"][places],
            disposed=self["disposed"][places],
            spots=self["spot"][places],
            characters=self["characters"][places],
            asking=self["asking"][places],
            labels=labels,
            confirmations=self["confirmations"][places],
            confirmed_at=self["confirmed_at"][places],
        )

    def _ids(self, places: Array) -> PackedIds:
        return PackedIds(self["high"], self["low"]).only(places)

    def _ties(self, places: Array) -> tuple[Array, ...]:
        return self["valid_at"][places], *PackedIds(self["high"], self["low"]).lowest_first(places)

    def _known(self) -> ShelfPlaces:
        if self._places.known < len(self):
            self._places.learn(self["high"], self["low"], self["spot"])
        return self._places
