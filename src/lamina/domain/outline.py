"""What ranking looks at of records: so that only what is returned is read as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from lamina.domain.ids import MemoryId

Column = np.ndarray[Any, Any]
"""A number for each candidate. Ranking is arithmetic over columns, and knows numpy for nothing else."""
NEVER: Final = 2**63 - 1
"""The time of what has not happened, in a column."""
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
    asking: int
    """How many of its characters are a question that it ends with, as `closing` says."""
    labels: float
    """The share of the labels asked for that it has."""
    confirmations: int
    confirmed_at: int | None
    """How often it was confirmed, and when last."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """Outlines by columns: there are hundreds for each question, and a few are looked at one by one."""

    ids: Sequence[MemoryId]
    cells: Column
    valid_at: Column
    recorded_at: Column
    disposed: Column
    spots: Column
    characters: Column
    asking: Column
    labels: Column
    confirmations: Column
    confirmed_at: Column
    """`NEVER` where nobody has."""

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Outline]:
        return iter(self.at(range(len(self))))

    def at(self, places: Sequence[int]) -> list[Outline]:
        """The outlines at some places, one by one."""
        chosen = np.asarray(places, dtype=np.intp)
        numbers = (
            self.cells,
            self.valid_at,
            self.recorded_at,
            self.disposed,
            self.spots,
            self.characters,
            self.asking,
            self.labels,
            self.confirmations,
        )
        confirmed_at = [None if at == NEVER else at for at in self.confirmed_at[chosen].tolist()]
        ids = [self.ids[place] for place in places]
        return list(map(Outline, ids, *(column[chosen].tolist() for column in numbers), confirmed_at))

    def only(self, places: Column, ids: Sequence[MemoryId], labels: Column) -> Outlines:
        """The outlines at some places, with their ids and shares of labels."""
        return Outlines(
            ids=ids,
            cells=self.cells[places],
            valid_at=self.valid_at[places],
            recorded_at=self.recorded_at[places],
            disposed=self.disposed[places],
            spots=self.spots[places],
            characters=self.characters[places],
            asking=self.asking[places],
            labels=labels,
            confirmations=self.confirmations[places],
            confirmed_at=self.confirmed_at[places],
        )

    @classmethod
    def of(cls, outlines: Iterable[Outline]) -> Outlines:
        """Some outlines, in their order."""
        ids, *columns, confirmed_at = list(zip(*outlines, strict=True)) or [()] * len(Outline._fields)
        told = [NEVER if at is None else at for at in confirmed_at]
        whole, share = np.int64, np.float64
        kinds = (whole, whole, whole, np.bool_, whole, whole, whole, share, whole, whole)
        made: Iterable[Column] = map(np.array, (*columns, told), kinds)
        return cls(ids, *made)
