"""Long-term memory of one persona: an entry for each event of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from lamina.domain.derivation import Remainder
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.long_term import EntryId, EventFilter, LongTermEntry

PAGE: Final = 1_000
"""How many positions of the log are claimed at once."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry on its way in, with what it is found by as far as that could be worked out."""

    entry: LongTermEntry
    vector: bytes | None = None
    lexemes: Sequence[str] = ()


class LongTerm(Protocol):
    """Keeps one entry for each event. What was derived stays as it is; what is pending is written over.

    Searches answer with scores, higher is better; among equals what happened last comes first, then by id. What is rare
    is so among the entries of this persona: nothing here looks at the other's.
    """

    def claim(self, after: int) -> list[tuple[LoggedEvent, LongTermEntry | None]]:
        """The next events after a position whose entry is not derived, at most `PAGE`, with what there is of it. Until
        this unit has ended nobody else is given them; what somebody else was given is passed over."""
        ...

    def put(self, entries: Sequence[NewEntry]) -> None:
        """Writes entries, all or none; one that is derived already stays as it is."""
        ...

    def get(self, ids: Iterable[EntryId]) -> dict[EntryId, LongTermEntry]:
        """Those of the entries that are there."""
        ...

    def nearest(self, vector: bytes, chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries of the most similar vectors of the store's model, with their cosine."""
        ...

    def matching(self, lexemes: Sequence[str], chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries that have lexemes of the query, with `bm25`'s score."""
        ...

    def remaining(self) -> list[Remainder]:
        """What is not derived yet, by status: events without an entry count as not tried."""
        ...
