"""What may answer a query, one method a signal. A store removes rows; the domain orders what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from lamina.domain.ids import MemoryId
from lamina.domain.mentions import Mentions
from lamina.domain.search import Drawn, Known, Search
from lamina.domain.selection import Selection


class Candidates(Protocol):
    """Answers with scores, higher is better. If the selection takes k records or more that have one, k come back.

    Where equal scores meet the limit, what became true last comes first, then by id: the same on every store.
    """

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine. Vectors of another model are not looked at."""
        ...

    def vectors(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, bytes]:
        """The vectors of these records, for each that has one of the store's model."""
        ...

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that have lexemes of the query, with `bm25`'s score. What is rare is so among all the anchor's
        records that have lexemes, whatever the selection: a narrower question does not change what words mean."""
        ...

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        ...

    def newest(self, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """What became true last, with its valid_at in seconds since 1970."""
        ...

    def known(self, lexemes: Sequence[str], possible: Sequence[Mentions]) -> Known:
        """What the anchor knows of words: how many of its records have each of the lexemes, and what of all that may be
        named some tag has as its value."""
        ...

    def draw(self, searches: Sequence[Search], reach: int, selection: Selection) -> list[Drawn]:
        """What every signal finds for each search, as `nearest`, `matching` and `tagged` do; with the outlines of that
        and of what was first observed at most `reach` positions from it in the same session, of what the selection
        takes. In as few round trips as the store can."""
        ...
