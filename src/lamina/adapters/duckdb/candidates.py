"""Candidates: everything that a search looks at is in numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.shelf import Shelf
from lamina.adapters.duckdb.shelving import stored
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.ids import MemoryId
from lamina.domain.outline import Outline
from lamina.domain.search import Found, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.terms import mention


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

    def neighbours(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection
    ) -> Mapping[MemoryId, Mapping[MemoryId, int]]:
        """For each record, those of its session that were observed near it."""
        return self._shelf().neighbours(ids, reach, selection)

    def mentioned(self, values: Sequence[str]) -> frozenset[str]:
        """Those of the values that some tag of the anchor has."""
        there = self._shelf().mentioned([mention(value) for value in values])
        return frozenset(value for value in values if mention(value) in there)

    def search(self, searches: Sequence[Search], selection: Selection) -> list[Found]:
        """What every signal finds for each search."""
        return [self._found(one, selection) for one in searches]

    def _found(self, one: Search, selection: Selection) -> Found:
        found: Found = {}
        if one.vector is not None:
            found[Signal.SEMANTIC] = self.nearest(one.vector, one.model, selection, one.limit)
        if one.lexemes:
            found[Signal.LEXICAL] = self.matching(one.lexemes, selection, one.limit)
        if one.labels:
            found[Signal.TAGS] = self._shelf().labelled(one.labels, selection, one.limit)
        return found

    def outlines(
        self, asked: Sequence[tuple[Iterable[MemoryId], Sequence[str]]], reach: int, selection: Selection
    ) -> list[list[Outline]]:
        """What ranking looks at, of each set of records and of those observed near them."""
        return [self._shelf().outlines(ids, labels, reach, selection) for ids, labels in asked]

    def _shelf(self) -> Shelf:
        return self._transaction.shelves.get(self._transaction.anchor.id, self._load)

    def _load(self) -> Shelf:
        shelf = Shelf(self._transaction.embedding.dimension)
        shelf.append(stored(self._transaction))
        return shelf


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = DuckDBCandidates
