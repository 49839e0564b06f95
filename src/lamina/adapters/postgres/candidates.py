"""Candidates in Postgres: rows are removed there, and come back with a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from psycopg.sql import SQL, Literal

from lamina.adapters.postgres import lexical
from lamina.adapters.postgres.arrays import PackedTexts, PackedUuids
from lamina.adapters.postgres.drawing import Asked, drawing
from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.nearest import nearest, vectors
from lamina.adapters.postgres.newest import newest
from lamina.adapters.postgres.selecting import cells_of, values_of
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.adapters.postgres.unpacking import drawn
from lamina.adapters.postgres.vectors import PackedVector, unpacked
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.ids import MemoryId
from lamina.domain.mentions import Mentions
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.search import Drawn, Known, Search
from lamina.domain.selection import Selection
from lamina.domain.terms import label, mention_of
from lamina.domain.typology import Cell

# How many neighbours the walk through HNSW keeps in view.
_LOOK_WIDER: Final = SQL("SELECT set_config('hnsw.ef_search', {wanted}, true)")
_WIDEST: Final = 1_000
_NO_CELLS: Final = frozenset[Cell]()


class CandidateStatements:
    """What is asked for candidates. Some depend on what is asked, or on which cells are large: each is built once."""

    def __init__(self, tables: Tables, embedding: EmbeddingChoice) -> None:
        self.large = LargeCells(tables.names, embedding)
        self.counting = Statement.of(lexical.counting(tables), lasting=True)
        self.matching = Statement.of(lexical.matching(tables), lasting=True)
        self.tagged = Statement.of(lexical.tagged(tables), lasting=True)
        self.there = Statement.of(lexical.there(tables), lasting=True)
        self.vectors = Statement.of(vectors(tables))
        self.tables = tables
        self._embedding = embedding
        self._nearest: dict[frozenset[Cell], Statement] = {}
        self._newest: dict[frozenset[Cell], Statement] = {}
        self._drawing: dict[Asked, Statement] = {}

    def nearest(self, large: frozenset[Cell]) -> Statement:
        """The search that finds what is in these cells by their indexes."""
        if large not in self._nearest:
            self._nearest[large] = Statement.of(nearest(self.tables, self._embedding, large), lasting=not large)
        return self._nearest[large]

    def newest(self, cells: frozenset[Cell]) -> Statement:
        """The search of what became true last in these cells."""
        if cells not in self._newest:
            self._newest[cells] = Statement.of(newest(self.tables, cells))
        return self._newest[cells]

    def drawing(self, asked: Asked) -> Statement:
        """All that is drawn for a search that asks this."""
        if asked not in self._drawing:
            self._drawing[asked] = Statement.of(drawing(self.tables, self._embedding, asked), lasting=True)
        return self._drawing[asked]


class PostgresCandidates:
    """Searches one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: CandidateStatements, embedding: EmbeddingChoice) -> None:
        self._transaction = transaction
        self._statements = statements
        self._embedding = embedding

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine."""
        self._embedding.check("query", model, vector)
        return self._nearest(Search(limit, vector, model), selection, self._large(selection))

    def vectors(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, bytes]:
        """The vectors of these records, for each that has one of the store's model."""
        values = {"ids": list(ids), "model": self._embedding.model}
        rows = self._transaction.rows(self._statements.vectors, values) if values["ids"] else []
        return {row["memory_id"]: unpacked(row["vector"]) for row in rows}

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that have lexemes of the query, with their BM25 score."""
        weighing = weigh(lexemes, self.known(sorted(set(lexemes)), ()).counts)
        asked = Search(limit, weighing=weighing)
        return self._scores(self._statements.matching, _values(asked, selection)) if weighing.weights else {}

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        asked = Search(limit, finding=[label(*tag) for tag in tags.items()])
        return self._scores(self._statements.tagged, _values(asked, selection)) if tags else {}

    def newest(self, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """What became true last, with its valid_at in seconds since 1970."""
        cells = cells_of(selection)
        if not cells:
            return {}
        values = {"limit": limit, **values_of(selection)}
        rows = self._transaction.rows(self._statements.newest(cells), values)
        return {row["id"]: row["valid_at"].timestamp() for row in rows}

    def known(self, lexemes: Sequence[str], possible: Sequence[Mentions]) -> Known:
        """How many have each of the lexemes, and what of all that may be named some tag has."""
        terms = {mention_of(value): value for one in possible for value in one.values}
        counted, there = self._transaction.many(
            [
                (self._statements.counting, {"terms": PackedTexts.of(lexemes)}),
                (self._statements.there, {"terms": PackedTexts.of(terms)}),
            ]
        )
        return Known(_counts(counted), frozenset(terms[term] for (term,) in there))

    def draw(self, searches: Sequence[Search], reach: int, selection: Selection) -> list[Drawn]:
        """What every signal finds for each search, with its outlines: in one round trip, unless a cell is large."""
        apart = self._apart(searches, selection)
        asked = [Asked.by(one, near=near is None) for one, near in zip(searches, apart, strict=True)]
        runs = []
        for one, what, near in zip(searches, asked, apart, strict=True):
            given = [*(near or ()), *(self.newest(selection, one.newest) if one.newest else ())]
            values = {"ids": PackedUuids.of(given), "reach": reach, **_values(one, selection)}
            runs.append((self._statements.drawing(what), values))
        rows = [row for (row,) in self._transaction.many(runs)]
        confirmed = self._statements.tables.names.corroborations
        return [
            drawn(row, what, one, near, confirmed=confirmed)
            for row, what, one, near in zip(rows, asked, searches, apart, strict=True)
        ]

    def _apart(self, searches: Sequence[Search], selection: Selection) -> list[dict[MemoryId, float] | None]:
        """The nearest that have to be looked for by a statement of their own: by the index, where a cell is large."""
        for one in searches:
            if one.vector is not None:
                self._embedding.check("query", one.model, one.vector)
        large = self._large(selection) if any(one.vector for one in searches) else _NO_CELLS
        return [self._nearest(one, selection, large) if large and one.vector else None for one in searches]

    def _nearest(self, one: Search, selection: Selection, large: frozenset[Cell]) -> dict[MemoryId, float]:
        """By the indexes of the large cells; if the walk through them gave up too early, all are compared."""
        if large:
            self._look_wider(one.limit)
            found = self._scores(self._statements.nearest(large), _values(one, selection, large))
            if len(found) == one.limit:
                return found
        return self._scores(self._statements.nearest(_NO_CELLS), _values(one, selection))

    def _look_wider(self, limit: int) -> None:
        wanted = min(_WIDEST, 2 * limit)
        if wanted > self._transaction.in_view:
            self._transaction.script(_LOOK_WIDER, wanted=Literal(str(wanted)))
            self._transaction.in_view = wanted

    def _large(self, selection: Selection) -> frozenset[Cell]:
        return self._statements.large.of(self._transaction, cells_of(selection))

    def _scores(self, statement: Statement, values: Values) -> dict[MemoryId, float]:
        (rows,) = self._transaction.many([(statement, values)])
        return {id_: score for id_, score, _, _ in rows}


def _values(one: Search, selection: Selection, large: frozenset[Cell] = _NO_CELLS) -> dict[str, Any]:
    """What any statement of a search may ask for; each takes what it names."""
    values = {
        "limit": one.limit,
        "model": one.model,
        "small_cells": _named(cells_of(selection) - large),
        "large_cells": _named(large),
        "finding": PackedTexts.of(one.finding),
        "asked": len(one.finding),
        **values_of(selection),
    }
    if one.vector is not None:
        values["query"] = PackedVector(one.vector)
    if one.weighing:
        values["terms"] = PackedTexts.of(one.weighing.weights)
        values["weights"] = list(one.weighing.weights.values())
        values["flat"], values["slope"] = one.weighing.flat, one.weighing.slope
    values["posted"] = PackedTexts.of([*one.labels, *(one.weighing.weights if one.weighing else ())])
    return values


def _named(cells: Iterable[Cell]) -> PackedTexts:
    return PackedTexts.of([str(cell) for cell in cells])


def _counts(rows: list[tuple[Any, ...]]) -> Counts:
    containing = {term: containing for _, _, term, containing in rows if term is not None}
    return Counts(rows[0][0], rows[0][1], containing)


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = PostgresCandidates
