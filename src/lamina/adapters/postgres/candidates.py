"""Candidates in Postgres: rows are removed there, and come back with a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from psycopg.sql import SQL, Literal

from lamina.adapters.postgres import lexical
from lamina.adapters.postgres.arrays import PackedIntegers, PackedTexts, PackedUuids
from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.nearest import nearest, vectors
from lamina.adapters.postgres.newest import newest
from lamina.adapters.postgres.outlines import outlines
from lamina.adapters.postgres.selecting import cells_of, values_of
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.adapters.postgres.unpacking import Found, drawn
from lamina.adapters.postgres.vectors import PackedVector, unpacked
from lamina.domain.bm25 import Counts, Weighing, weigh
from lamina.domain.ids import MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.search import Drawn, Known, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.terms import label, mention_of
from lamina.domain.typology import Cell

# How many neighbours the walk through HNSW keeps in view.
_LOOK_WIDER: Final = SQL("SELECT set_config('hnsw.ef_search', {wanted}, true)")
_WIDEST: Final = 1_000
Run = tuple[Statement, Values]


class CandidateStatements:
    """What is asked for candidates. Some depend on which cells are asked or are large: each is built once."""

    def __init__(self, tables: Tables, embedding: EmbeddingChoice) -> None:
        self.large = LargeCells(tables.names, embedding)
        self.counting = Statement.of(lexical.counting(tables), lasting=True)
        self.matching = Statement.of(lexical.matching(tables), lasting=True)
        self.tagged = Statement.of(lexical.tagged(tables), lasting=True)
        self.there = Statement.of(lexical.there(tables), lasting=True)
        self.vectors = Statement.of(vectors(tables))
        self.outlines = {labelled: Statement.of(outlines(tables, labelled=labelled)) for labelled in (False, True)}
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
        return self._found([Search(limit, vector, model)], selection)[0].get(Signal.SEMANTIC, {})

    def _nearest_in(self, one: Search, selection: Selection, large: frozenset[Cell]) -> Mapping[MemoryId, float]:
        """By the indexes of the large cells; if the walk through them gave up too early, all are compared."""
        self._look_wider(one.limit)
        found = self._scores(self._near(one, selection, large))
        return found if len(found) == one.limit else self._scores(self._near(one, selection, frozenset()))

    def _scores(self, run: Run) -> dict[MemoryId, float]:
        (rows,) = self._transaction.many([run])
        return dict(rows)

    def _look_wider(self, limit: int) -> None:
        wanted = min(_WIDEST, 2 * limit)
        if wanted > self._transaction.in_view:
            self._transaction.script(_LOOK_WIDER, wanted=Literal(str(wanted)))
            self._transaction.in_view = wanted

    def _near(self, one: Search, selection: Selection, large: frozenset[Cell]) -> Run:
        assert one.vector is not None  # noqa: S101 (it is asked only then)
        cells = cells_of(selection)
        values = {"query": PackedVector(one.vector), "model": one.model, "limit": one.limit, **values_of(selection)}
        split = {"small_cells": _named(cells - large), "large_cells": _named(large)}
        return self._statements.nearest(large), {**values, **split}

    def vectors(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, bytes]:
        """The vectors of these records, for each that has one of the store's model."""
        values = {"ids": list(ids), "model": self._embedding.model}
        rows = self._transaction.rows(self._statements.vectors, values) if values["ids"] else []
        return {row["memory_id"]: unpacked(row["vector"]) for row in rows}

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that have lexemes of the query, with their BM25 score."""
        weighing = weigh(lexemes, self.known(sorted(set(lexemes)), ()).counts)
        return self._found([Search(limit, weighing=weighing)], selection)[0].get(Signal.LEXICAL, {})

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        labels = [label(*tag) for tag in tags.items()]
        return self._found([Search(limit, finding=labels)], selection)[0].get(Signal.TAGS, {})

    def known(self, lexemes: Sequence[str], values: Sequence[str]) -> Known:
        """How many have each of the lexemes, and which of the values some tag has."""
        terms = {mention_of(value): value for value in values}
        counted, there = self._transaction.many(
            [
                (self._statements.counting, {"terms": PackedTexts.of(lexemes)}),
                (self._statements.there, {"terms": PackedTexts.of(terms)}),
            ]
        )
        return Known(_counts(counted), frozenset(terms[term] for (term,) in there))

    def draw(self, searches: Sequence[Search], reach: int, selection: Selection) -> list[Drawn]:
        """What every signal finds for each search, with its outlines: a round trip for each of the two."""
        found = self._found(searches, selection)
        newest = [self.newest(selection, one.newest) if one.newest else {} for one in searches]
        chosen, away = values_of(selection), PackedIntegers.of(range(-reach, reach + 1))
        runs = []
        for one, some, more in zip(searches, found, newest, strict=True):
            ids = list({id_: None for scores in (*some.values(), more) for id_ in scores})
            values = {"ids": PackedUuids.of(ids), "away": away, "labels": PackedTexts.of(one.labels), **chosen}
            runs.append((self._statements.outlines[bool(one.labels)], values))
        return [drawn(rows, some) for rows, some in zip(self._transaction.many(runs), found, strict=True)]

    def _found(self, searches: Sequence[Search], selection: Selection) -> list[Found]:
        for one in searches:
            if one.vector is not None:
                self._embedding.check("query", one.model, one.vector)
        found: list[Found] = [{} for _ in searches]
        large = self._large(searches, selection)
        runs: list[tuple[int, Signal, Run]] = []
        for place, one in enumerate(searches):
            if one.vector is not None and large:
                found[place][Signal.SEMANTIC] = self._nearest_in(one, selection, large)
            elif one.vector is not None:
                runs.append((place, Signal.SEMANTIC, self._near(one, selection, large)))
            if one.weighing and one.weighing.weights:
                runs.append((place, Signal.LEXICAL, self._match(one.weighing, one.limit, selection)))
            if one.finding:
                runs.append((place, Signal.TAGS, self._label(one, selection)))
        answers = self._transaction.many([run for _, _, run in runs])
        for (place, signal, _), rows in zip(runs, answers, strict=True):
            found[place][signal] = dict(rows)
        return found

    def _large(self, searches: Sequence[Search], selection: Selection) -> frozenset[Cell]:
        if all(one.vector is None for one in searches):
            return frozenset()
        return self._statements.large.of(self._transaction, cells_of(selection))

    def _match(self, weighing: Weighing, limit: int, selection: Selection) -> Run:
        values = {
            "terms": PackedTexts.of(weighing.weights),
            "weights": list(weighing.weights.values()),
            "flat": weighing.flat,
            "slope": weighing.slope,
        }
        return self._statements.matching, {**values, "limit": limit, **values_of(selection)}

    def _label(self, one: Search, selection: Selection) -> Run:
        values = {"terms": PackedTexts.of(one.finding), "asked": len(one.finding), "limit": one.limit}
        return self._statements.tagged, {**values, **values_of(selection)}

    def newest(self, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """What became true last, with its valid_at in seconds since 1970."""
        cells = cells_of(selection)
        if not cells:
            return {}
        values = {"limit": limit, **values_of(selection)}
        rows = self._transaction.rows(self._statements.newest(cells), values)
        return {row["id"]: row["valid_at"].timestamp() for row in rows}


def _named(cells: Iterable[Cell]) -> PackedTexts:
    return PackedTexts.of([str(cell) for cell in cells])


def _counts(rows: list[tuple[Any, ...]]) -> Counts:
    containing = {term: containing for _, _, term, containing in rows if term is not None}
    return Counts(rows[0][0], rows[0][1], containing)


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = PostgresCandidates
