"""Where on a shelf a record is, and what stands beside it: looked up, not looked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.outline import NOWHERE, SESSION_BITS

_NONE: Final = np.empty(0, dtype=np.int64)
_BYTES: Final = 250
"""About what the two entries of a row take."""


class Sessions(dict[int, int]):
    """A number for each session, from 1, given when it is first met."""

    def __missing__(self, session: int) -> int:
        return self.setdefault(session, len(self) + 1)

    def spots(self, high: Array, low: Array, positions: Array) -> Array:
        """Where records stand; a position that is not known is negative."""
        stood = np.flatnonzero(positions >= 0)
        ids = zip(high[stood].tolist(), low[stood].tolist(), strict=True)
        numbers = [self[one << 64 | other] for one, other in ids]
        spots: Array = np.full(len(positions), NOWHERE, dtype=np.int64)
        spots[stood] = (np.array(numbers, dtype=np.int64) << SESSION_BITS) | positions[stood]
        return spots

    def between(self, session: SessionId) -> tuple[int, int]:
        """From which spot, and up to which, what was observed in a session stands."""
        number = self.get(session.int, -1)
        return number << SESSION_BITS, (number + 1) << SESSION_BITS


class ShelfPlaces:
    """Ids and spots, each with its place. Filled in when first asked, and then with what is new."""

    def __init__(self) -> None:
        self._by_id: dict[int, int] = {}
        self._by_spot: dict[int, int] = {}
        self._sharing: dict[int, list[int]] = {}
        self.known = 0
        """Of how many rows it knows."""

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return _BYTES * self.known

    def of(self, id_: MemoryId) -> int | None:
        """The place of a record that was here; it may be gone since."""
        return self._by_id.get(id_.int)

    def at(self, spots: Sequence[int], besides: Array = _NONE) -> list[int]:
        """The places of what was first observed at these spots: records, and perhaps copies of them. And all that share
        one of the spots besides, where somebody was met already."""
        found = [place for place in map(self._by_spot.get, set(spots)) if place is not None]
        if self._sharing:
            shared = self._sharing.keys() & {*spots, *besides.ravel().tolist()}
            found += [place for spot in shared for place in (self._by_spot[spot], *self._sharing[spot])]
        return found

    def learn(self, high: Array, low: Array, spots: Array) -> None:
        """Takes in what has come since it was last asked."""
        columns = [column[self.known :].tolist() for column in (high, low, spots)]
        for place, (one, other, spot) in enumerate(zip(*columns, strict=True), self.known):
            self._by_id[one << 64 | other] = place
            if spot != NOWHERE:
                self._stand(spot, place)
        self.known = len(spots)

    def leave(self, spots: Array, places: Array) -> None:
        """Nobody stands there any more."""
        for spot, place in zip(spots.tolist(), places.tolist(), strict=True):
            others = [other for other in self.at([spot]) if other != place]
            self._by_spot.pop(spot, None)
            self._sharing.pop(spot, None)
            for other in others:
                self._stand(spot, other)

    def _stand(self, spot: int, place: int) -> None:
        if self._by_spot.setdefault(spot, place) != place:
            self._sharing.setdefault(spot, []).append(place)
