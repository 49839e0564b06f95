"""Where on a shelf a record is, and what stands beside it: looked up, not looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lamina.adapters.duckdb.arrays import Array
from lamina.domain.ids import MemoryId

_BYTES: Final = 250
"""About what the two entries of a row take."""


class ShelfPlaces:
    """Ids and positions, each with its place. Filled in when first asked, and then with what is new."""

    def __init__(self) -> None:
        self._by_id: dict[int, int] = {}
        self._by_position: dict[int, int] = {}
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

    def at(self, session: int, position: int) -> Iterator[int]:
        """The places of what was first observed there: a record, and perhaps a copy of it."""
        key = session << 32 | position
        if key in self._by_position:
            yield self._by_position[key]
            yield from self._sharing.get(key, ())

    def learn(self, columns: Mapping[str, Array], count: int) -> None:
        """Takes in what has come since it was last asked."""
        new = slice(self.known, count)
        names = ("high", "low", "session_high", "session_low", "position")
        rows = zip(*(columns[name][new].tolist() for name in names), strict=True)
        for place, (high, low, session_high, session_low, position) in enumerate(rows, self.known):
            self._by_id[high << 64 | low] = place
            if position >= 0:
                self._stand((session_high << 64 | session_low) << 32 | position, place)
        self.known = count

    def _stand(self, key: int, place: int) -> None:
        if self._by_position.setdefault(key, place) != place:
            self._sharing.setdefault(key, []).append(place)
