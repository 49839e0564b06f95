"""Candidates in Postgres: rows are removed there, and come back with a score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from psycopg.sql import SQL, Literal
from sqlalchemy import Double, Integer, Select, bindparam, cast, func, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.nearest import nearest
from lamina.adapters.postgres.selecting import cells_of, in_cells, is_selected, values_of
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.ids import MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.domain.typology import Cell

# The walk goes on until enough rows pass the filters, instead of ending with the nearest few of all anchors.
_LOOK_ON = SQL(
    "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', {wanted}, true)"
)


class CandidateStatements:
    """What is asked for candidates. The search of vectors depends on which cells are large: each is built once."""

    def __init__(self, tables: Tables, embedding: EmbeddingChoice) -> None:
        self.large = LargeCells(tables.names, embedding)
        self.tagged = Statement.of(_tagged(tables))
        self._tables = tables
        self._embedding = embedding
        self._nearest: dict[frozenset[Cell], Statement] = {}

    def nearest(self, large: frozenset[Cell]) -> Statement:
        """The search that finds what is in these cells by their indexes."""
        if large not in self._nearest:
            self._nearest[large] = Statement.of(nearest(self._tables, self._embedding, large))
        return self._nearest[large]


def _tagged(tables: Tables) -> Select[Any]:
    memory = tables["memory"]
    label = func.unnest(bindparam("labels", type_=ARRAY(JSONB)), type_=JSONB).column_valued("label")
    agreeing = select(func.count(label)).where(memory.c.tags.contains(label)).scalar_subquery()
    scored = (
        select(memory.c.id, agreeing.label("agreeing"))
        .where(memory.c.anchor_id == bindparam("anchor_id"), in_cells(memory), is_selected(memory))
        .subquery()
    )
    share = cast(scored.c.agreeing, Double) / bindparam("asked", type_=Integer)
    return (
        select(scored.c.id, share.label("score"))
        .where(scored.c.agreeing > 0)
        .order_by(scored.c.agreeing.desc(), scored.c.id)
        .limit(bindparam("limit", type_=Integer))
    )


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
            self._transaction.script(_LOOK_ON, wanted=Literal(str(min(1_000, max(40, 2 * limit)))))
            found = self._nearest(values, cells, large)
            if len(found) == limit:
                return found
        # Either nothing is large, or the walk through the index gave up too early: then all are compared.
        return self._nearest(values, cells, frozenset())

    def _nearest(self, values: Values, cells: frozenset[Cell], large: frozenset[Cell]) -> dict[MemoryId, float]:
        split = {"small_cells": [str(cell) for cell in cells - large], "large_cells": [str(cell) for cell in large]}
        return _scores(self._transaction.rows(self._statements.nearest(large), {**values, **split}))

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        if not tags:
            return {}
        labels = [json.dumps({name: value}, ensure_ascii=False) for name, value in tags.items()]
        values = {"labels": labels, "asked": len(labels), "limit": limit, **values_of(selection)}
        return _scores(self._transaction.rows(self._statements.tagged, values))


def _scores(rows: list[dict[str, Any]]) -> dict[MemoryId, float]:
    return {row["id"]: row["score"] for row in rows}


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = PostgresCandidates
