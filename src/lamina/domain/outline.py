"""What ranking looks at of records: so that only what is returned is read as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from lamina.domain.ids import MemoryId
from lamina.domain.packed_ids import PackedIds, whole

Column = np.ndarray[Any, Any]
"""A number for each candidate. Ranking is arithmetic over columns, and knows numpy for nothing else."""
NEVER: Final = 2**63 - 1
"""The time of what has not happened, in a column."""
NOWHERE: Final = 0
"""The spot of what was never observed."""
SESSION_BITS: Final = 32
"""How far to the left the number of a session stands in a spot: behind it is the position."""


def places_among(kept: Column, count: int) -> Column:
    """For each of so many its place among those that are kept, or -1."""
    places: Column = np.empty(count, dtype=np.intp)
    places.fill(-1)
    places[kept] = np.arange(len(kept))
    return places


def spot(session: int, position: int) -> int:
    """Where something was first observed, as one number: what stands beside it has one that is next to it. Whoever
    draws outlines numbers the sessions, from 1."""
    return session << SESSION_BITS | position


class Outline(NamedTuple):
    """A record without its words. Times are whole microseconds since 1970."""

    id: MemoryId
    cell: int
    """Its place among `CELLS`."""
    valid_at: int
    recorded_at: int
    disposed: bool
    """Whether the forcing function has let go of it."""
    spot: int
    """Where it was first observed, as `spot` says, or `NOWHERE`."""
    characters: int
    asking: int
    """How many of its characters are a question that it ends with, as `closing` says."""
    labels: float
    """The share of the labels asked for that it has."""
    confirmations: int
    confirmed_at: int | None
    """How often it was confirmed, and when last."""


NUMBERS: Final = (
    *("high", "low", "cell", "valid_at", "recorded_at", "disposed"),
    *("spot", "characters", "asking", "confirmations", "confirmed_at"),
)
"""What an outline says in whole numbers; an id is two of them."""


class Outlines:
    """Outlines by columns, the whole numbers in one table: there are hundreds for each question, all of them are taken
    out at once, and a few are looked at one by one."""

    def __init__(self, numbers: Column, labels: Column) -> None:
        """`numbers` has a row for each of `NUMBERS`, as 64 bits with a sign; `NEVER` where nobody has confirmed."""
        self.numbers = numbers
        self.labels = labels
        self._high, self._low, self.cells, self.valid_at, self.recorded_at, self.disposed, *others = numbers
        self.spots, self.characters, self.asking, self.confirmations, self.confirmed_at = others

    @classmethod
    def by(cls, columns: Mapping[str, Column | int], count: int) -> Outlines:
        """So many outlines by their columns, called as in `NUMBERS`, or by what is the same in all; without labels."""
        numbers = np.empty((len(NUMBERS), count), dtype=np.int64)
        for place, name in enumerate(NUMBERS):
            numbers[place] = columns[name]
        return cls(numbers, np.zeros(count))

    @classmethod
    def of(cls, outlines: Iterable[Outline]) -> Outlines:
        """Some outlines, in their order."""
        rows = list(outlines)
        ids = PackedIds.of(b"".join(row.id.bytes for row in rows))
        told = {name: np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in NUMBERS[2:-1]}
        last = np.array([NEVER if row.confirmed_at is None else row.confirmed_at for row in rows], dtype=np.int64)
        numbers = cls.by({"high": ids.high, "low": ids.low, **told, "confirmed_at": last}, len(rows)).numbers
        return cls(numbers, np.array([row.labels for row in rows], dtype=np.float64))

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Outline]:
        high, low, *numbers, confirmations, confirmed_at = self.numbers.tolist()
        said = self.labels.tolist(), confirmations, _times(confirmed_at)
        return map(Outline, map(whole, high, low), *numbers, *said)

    def only(self, places: Column) -> Outlines:
        """The outlines at some places."""
        return Outlines(self.numbers.take(places, axis=1), self.labels[places])

    def having(self, **columns: Sequence[int]) -> Outlines:
        """The same with other numbers in some columns, called as in `NUMBERS`."""
        numbers = self.numbers.copy()
        for name, column in columns.items():
            numbers[NUMBERS.index(name)] = column
        return Outlines(numbers, self.labels)

    def standing(self, places: Column) -> tuple[list[MemoryId], list[int], list[int], list[int], list[int | None]]:
        """Of those at some places, in lists: which they are, since when it is so and on record, how often it was
        confirmed, and when last."""
        high, low, _, valid_at, recorded_at, *_, times, last = self.numbers.take(places, axis=1).tolist()
        return list(map(whole, high, low)), valid_at, recorded_at, times, _times(last)

    @property
    def ids(self) -> PackedIds:
        return PackedIds(self._high.view(np.uint64), self._low.view(np.uint64))


def _times(numbers: list[int]) -> list[int | None]:
    return [None if number == NEVER else number for number in numbers]
