"""Candidates in Postgres: rows are removed there, and come back with a score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from psycopg.sql import SQL, Literal

from lamina.adapters.postgres import lexical
from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.nearest import nearest, vectors
from lamina.adapters.postgres.neighbours import neighbours
from lamina.adapters.postgres.newest import newest
from lamina.adapters.postgres.selecting import cells_of, values_of
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.adapters.postgres.vectors import PackedVector, unpacked
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.ids import MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.domain.terms import label
from lamina.domain.typology import Cell

# How many neighbours the walk through HNSW keeps in view.
_LOOK_WIDER: Final = SQL("SELECT set_config('hnsw.ef_search', {wanted}, true)")
_WIDEST: Final = 1_000


class CandidateStatements:
    """What is asked for candidates. Some depend on which cells are asked or are large: each is built once."""

    def __init__(self, tables: Tables, embedding: EmbeddingChoice) -> None:
        self.large = LargeCells(tables.names, embedding)
        self.counting = Statement.of(lexical.counting(tables))
        self.matching = Statement.of(lexical.matching(tables))
        self.tagged = Statement.of(lexical.tagged(tables))
        self.neighbours = Statement.of(neighbours(tables))
        self.vectors = Statement.of(vectors(tables))
        self._tables = tables
        self._embedding = embedding
        self._nearest: dict[frozenset[Cell], Statement] = {}
        self._newest: dict[frozenset[Cell], Statement] = {}

    def nearest(self, large: frozenset[Cell]) -> Statement:
        """The search that finds what is in these cells by their indexes."""
        if large not in self._nearest:
            self._nearest[large] = Statement.of(nearest(self._tables, self._embedding, large))
        return self._nearest[large]

    def newest(self, cells: frozenset[Cell]) -> Statement:
        """The search of what became true last in these cells."""
        if cells not in self._newest:
            self._newest[cells] = Statement.of(newest(self._tables, cells))
        return self._newest[cells]


class PostgresCandidates:
    """Searches one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: CandidateStatements, embedding: EmbeddingChoice) -> None:
        self._transaction = transaction
        self._statements = statements
        self._embedding = embedding

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine."""
        self._embedding.check("query", model, vector)
        cells = cells_of(selection)
        large = self._statements.large.of(self._transaction, cells)
        values = {"query": PackedVector(vector), "model": model, "limit": limit, **values_of(selection)}
        if large:
            found = self._by_index(values, cells, large)
            if len(found) == limit:
                return found
        # Either nothing is large, or the walk through the index gave up too early: then all are compared.
        return self._nearest(values, cells, frozenset())

    def _by_index(self, values: Values, cells: frozenset[Cell], large: frozenset[Cell]) -> dict[MemoryId, float]:
        wanted = min(_WIDEST, 2 * values["limit"])
        if wanted > self._transaction.in_view:
            self._transaction.script(_LOOK_WIDER, wanted=Literal(str(wanted)))
            self._transaction.in_view = wanted
        return self._nearest(values, cells, large)

    def _nearest(self, values: Values, cells: frozenset[Cell], large: frozenset[Cell]) -> dict[MemoryId, float]:
        split = {"small_cells": [str(cell) for cell in cells - large], "large_cells": [str(cell) for cell in large]}
        return _scores(self._transaction.rows(self._statements.nearest(large), {**values, **split}))

    def vectors(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, bytes]:
        """The vectors of these records, for each that has one of the store's model."""
        values = {"ids": list(ids), "model": self._embedding.model}
        rows = self._transaction.rows(self._statements.vectors, values) if values["ids"] else []
        return {row["memory_id"]: unpacked(row["vector"]) for row in rows}

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that have lexemes of the query, with their BM25 score."""
        weighing = weigh(lexemes, self._count(sorted(set(lexemes)))) if lexemes else None
        if not weighing or not weighing.weights:
            return {}
        values = {
            "terms": list(weighing.weights),
            "weights": list(weighing.weights.values()),
            "flat": weighing.flat,
            "slope": weighing.slope,
        }
        return self._scored(self._statements.matching, values, selection, limit)

    def _count(self, lexemes: list[str]) -> Counts:
        rows = self._transaction.rows(self._statements.counting, {"terms": lexemes})
        containing = {row["term"]: row["containing"] for row in rows if row["term"] is not None}
        return Counts(rows[0]["documents"], rows[0]["total_length"], containing)

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        if not tags:
            return {}
        values = {"terms": [label(*tag) for tag in tags.items()], "asked": len(tags)}
        return self._scored(self._statements.tagged, values, selection, limit)

    def newest(self, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """What became true last, with its valid_at in seconds since 1970."""
        cells = cells_of(selection)
        if not cells:
            return {}
        values = {"limit": limit, **values_of(selection)}
        rows = self._transaction.rows(self._statements.newest(cells), values)
        return {row["id"]: row["valid_at"].timestamp() for row in rows}

    def neighbours(
        self, ids: Iterable[MemoryId], reach: int, selection: Selection
    ) -> Mapping[MemoryId, Mapping[MemoryId, int]]:
        """For each record that has any: those that were first observed near it, with how many positions away."""
        asked = list(ids)
        if not asked:
            return {}
        values = {"ids": asked, "reach": reach, **values_of(selection)}
        found: dict[MemoryId, dict[MemoryId, int]] = defaultdict(dict)
        for row in self._transaction.rows(self._statements.neighbours, values):
            found[row["of"]][row["id"]] = row["positions"]
        return dict(found)

    def _scored(
        self, statement: Statement, values: Values, selection: Selection, limit: int
    ) -> Mapping[MemoryId, float]:
        return _scores(self._transaction.rows(statement, {**values, "limit": limit, **values_of(selection)}))


def _scores(rows: list[dict[str, Any]]) -> dict[MemoryId, float]:
    return {row["id"]: row["score"] for row in rows}


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = PostgresCandidates
