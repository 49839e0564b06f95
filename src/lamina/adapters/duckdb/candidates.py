"""Candidates: everything that a search looks at is in numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.shelf import Shelf
from lamina.adapters.duckdb.shelving import stored
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.ids import MemoryId
from lamina.domain.mentions import Mentions
from lamina.domain.search import Drawn, Known, Search
from lamina.domain.selection import Selection


class DuckDBCandidates:
    """What may answer a query, among one anchor's records."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine."""
        self._transaction.embedding.check("query", model, vector)
        return self._shelf().nearest(vector, selection, limit)

    def vectors(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, bytes]:
        """The vectors of these records, for each that has one of the store's model."""
        return self._shelf().vectors(ids)

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that have lexemes of the query, with `bm25`'s score."""
        return self._shelf().matching(lexemes, selection, limit) if lexemes else {}

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        return self._shelf().tagged(tags, selection, limit) if tags else {}

    def newest(self, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """What became true last, with its valid_at in seconds since 1970."""
        return self._shelf().newest(selection, limit)

    def known(self, lexemes: Sequence[str], possible: Sequence[Mentions]) -> Known:
        """How many have each of the lexemes, and what of all that may be named some tag has."""
        shelf = self._shelf()
        return Known(shelf.counts(lexemes), shelf.mentioned(possible))

    def draw(self, searches: Sequence[Search], reach: int, selection: Selection) -> list[Drawn]:
        """What every signal finds for each search, with its outlines."""
        for one in searches:
            if one.vector is not None:
                self._transaction.embedding.check("query", one.model, one.vector)
        shelf = self._shelf()
        taken = shelf.taken(selection)
        return [shelf.draw(one, reach, taken) for one in searches]

    def _shelf(self) -> Shelf:
        return self._transaction.held.shelves.get(self._transaction.anchor.id, self._load)

    def _load(self) -> Shelf:
        shelf = Shelf(self._transaction.embedding.dimension)
        shelf.append(stored(self._transaction))
        return shelf


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = DuckDBCandidates
