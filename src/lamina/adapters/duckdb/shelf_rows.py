"""What a selection looks at, as columns: one row for each record of an anchor that can be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing, Table
from lamina.adapters.duckdb.shelf_columns import ARRIVING, COLUMNS, FLAGS, STATE, microseconds
from lamina.adapters.duckdb.shelf_places import Sessions, ShelfPlaces
from lamina.domain.as_of import AsOf
from lamina.domain.foremost import best
from lamina.domain.ids import MemoryId
from lamina.domain.outline import NEVER, NOWHERE, NUMBERS, Outlines, places_among
from lamina.domain.packed_ids import PackedIds
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection


class Found(NamedTuple):
    """Rows by their places, each with its score."""

    places: Array
    scores: Array

    def of(self, taken: Array) -> Found:
        """But for what is not taken."""
        kept = taken[self.places]
        if np.count_nonzero(kept) == len(kept):
            return self
        return Found(self.places[kept], self.scores[kept])


NONE = Found(np.empty(0, dtype=np.int64), np.empty(0))


class ShelfRows:
    """The columns. The place of a record is its row, and stays so until the rows move together."""

    def __init__(self) -> None:
        self._table = Table(COLUMNS)
        self._flags = {name: Growing(np.bool_) for name in FLAGS}
        self._gone = Growing(np.bool_)
        self._places = ShelfPlaces()
        self._sessions = Sessions()
        self._in_line: tuple[int, bool] | None = None

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, name: str) -> Array:
        return self._flags[name].filled if name in self._flags else self._table[name]

    @property
    def ids(self) -> PackedIds:
        """The ids of all."""
        return PackedIds(self["high"].view(np.uint64), self["low"].view(np.uint64))

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return self._table.nbytes + sum(flag.nbytes for flag in self._flags.values()) + self._places.nbytes

    def append(self, columns: Mapping[str, Array]) -> None:
        """Adds rows at the end."""
        self._in_line = None
        self._table.extend({**columns, "spot": self._sessions.spots(*(columns[name] for name in ARRIVING))})
        for name, flag in self._flags.items():
            flag.extend(columns[name])
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
        self._in_line = None
        return places

    def compact(self) -> Array:
        """Lets go of the rows of what is gone: for each place the one that its record has now, or -1."""
        kept = np.flatnonzero(~self._gone.filled)
        moved = places_among(kept, len(self))
        self._table.keep(kept)
        for flag in (*self._flags.values(), self._gone):
            flag.keep(kept)
        self._places = ShelfPlaces()
        self._in_line = None
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
        wanted = selection.cells
        if not all(wanted):
            taken &= np.array(wanted)[self["cell"]]
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
        return dict(zip(self.ids.only(found.places).made(), found.scores.tolist(), strict=True))

    def around(self, several: Sequence[Array], reach: int, taken: Array) -> Array:
        """The places of some rows, and of what stands beside them: what is taken of it, in order."""
        chosen: Array = np.zeros(len(taken), dtype=np.bool_)
        for some in several:
            chosen[some] = True
        spots = self["spot"]
        (stood,) = (chosen & (spots != NOWHERE)).nonzero()
        away = np.arange(-reach, reach + 1)[:, None]
        wanted = spots[stood] + away
        # Who was observed one after another mostly stands so here too; whoever does not is looked up.
        likely = np.minimum(np.maximum(stood + away, 0), len(taken) - 1)
        there = spots[likely] == wanted
        chosen[likely[there]] = True
        if not self._are_in_line(reach):
            chosen[self._known().at(wanted[~there].tolist(), besides=wanted)] = True
        return (chosen & taken).nonzero()[0]

    def _are_in_line(self, reach: int) -> bool:
        """Whether whoever stands so near to another stands as near here, too: looked at once until somebody moves."""
        if self._in_line is None or self._in_line[0] != reach:
            spots = self["spot"]
            (rows,) = (spots != NOWHERE).nonzero()
            apart, here = np.diff(spots[rows]), np.diff(rows)
            self._in_line = reach, bool((apart > 0).all() and ((apart > reach) | (apart == here)).all())
        return self._in_line[1]

    def outlines(self, places: Array, labels: Array) -> Outlines:
        """What ranking looks at of the rows at these places, with the shares of labels that they have."""
        return Outlines(self._table.first(len(NUMBERS), places), labels)

    def _ties(self, places: Array) -> tuple[Array, ...]:
        return self["valid_at"][places], *self.ids.lowest_first(places)

    def _known(self) -> ShelfPlaces:
        if self._places.known < len(self):
            self._places.learn(self.ids.high, self.ids.low, self["spot"])
        return self._places
