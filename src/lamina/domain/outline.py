"""What ranking looks at of records: so that only what is returned is read as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from lamina.domain.ids import MemoryId

NOWHERE: Final = 0
"""The spot of what was never observed."""
SESSION_BITS: Final = 32
"""How far to the left the number of a session stands in a spot: behind it is the position."""


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
    labels: float
    """The share of the labels asked for that it has."""
    confirmations: int
    confirmed_at: int | None
    """How often it was confirmed, and when last."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """Outlines by columns: there are hundreds for each question, and a few are looked at one by one."""

    ids: Sequence[MemoryId]
    cells: Sequence[int]
    valid_at: Sequence[int]
    recorded_at: Sequence[int]
    disposed: Sequence[bool]
    spots: Sequence[int]
    characters: Sequence[int]
    labels: Sequence[float]
    confirmations: Sequence[int]
    confirmed_at: Sequence[int | None]

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, place: int) -> Outline:
        return Outline(
            self.ids[place],
            self.cells[place],
            self.valid_at[place],
            self.recorded_at[place],
            self.disposed[place],
            self.spots[place],
            self.characters[place],
            self.labels[place],
            self.confirmations[place],
            self.confirmed_at[place],
        )

    def __iter__(self) -> Iterator[Outline]:
        return map(self.__getitem__, range(len(self)))

    @classmethod
    def of(cls, outlines: Iterable[Outline]) -> Outlines:
        """Some outlines, in their order."""
        columns: list[Sequence[Any]] = list(zip(*outlines, strict=True)) or [()] * len(Outline._fields)
        return cls(*columns)
