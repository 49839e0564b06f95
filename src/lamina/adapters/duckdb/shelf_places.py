"""Where on a shelf a record is, and what stands beside it: looked up, not looked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    def around(self, stood: Iterable[tuple[int, int]], reach: int) -> list[int]:
        """The places of what was first observed at these positions of sessions, and so many positions around them:
        records, and perhaps copies of them."""
        by_position, sharing = self._by_position, self._sharing
        keys = {
            session << 32 | near
            for session, position in stood
            for near in range(max(position - reach, 0), position + reach + 1)
        }
        found = [by_position[key] for key in keys if key in by_position]
        if sharing:
            found += [place for key in keys if key in sharing for place in sharing[key]]
        return found

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
