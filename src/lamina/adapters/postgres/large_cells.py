"""Which cells of an anchor are large enough for HNSW to be the faster way, and to find enough."""

from __future__ import annotations

from typing import Final

from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.typology import CELLS, Cell

FEWEST: Final = 20_000
SHARE: Final = 0.1
"""Below this share of its cell an anchor is compared one by one: HNSW would walk past nine others for each it keeps."""


# How many rows a whole cell has is what the planner thinks of its index: row security shows no other anchor's.
_LARGE: Final = SQL("""
    SELECT held.cell
    FROM (
        SELECT cell, count(*) AS rows FROM {embeddings}
        WHERE anchor_id = %(anchor_id)s AND cell = ANY (%(cells)s)
        GROUP BY cell
    ) AS held
    JOIN unnest(%(cells)s::text[], %(indexes)s::text[]) AS asked (cell, index) ON asked.cell = held.cell
    LEFT JOIN pg_catalog.pg_class AS whole ON whole.oid = to_regclass(asked.index)
    WHERE held.rows >= greatest(%(fewest)s, coalesce(whole.reltuples, 0) * %(share)s)
""")


class LargeCells:
    """Remembers what is large: persistent rows are never removed. Where others were, a search is slower, not wrong."""

    def __init__(self, names: Names, embedding: EmbeddingChoice, fewest: int = FEWEST) -> None:
        table = Identifier(names.schema, names.own("embeddings"))
        self._statement = Statement.written(_LARGE.format(embeddings=table))
        self._indexes = {cell: f'"{names.schema}"."{names.near_index(cell, embedding.model)}"' for cell in CELLS}
        self._fewest = fewest
        self._known: set[tuple[AnchorId, Cell]] = set()

    def of(self, transaction: Transaction, asked: frozenset[Cell]) -> frozenset[Cell]:
        """Those of the cells that are large for the transaction's anchor."""
        anchor_id = transaction.anchor.id
        known = {cell for cell in asked if (anchor_id, cell) in self._known}
        found = self._ask(transaction, sorted(asked - known)) if asked - known else set()
        self._known |= {(anchor_id, cell) for cell in found}
        return frozenset(known | found)

    def _ask(self, transaction: Transaction, cells: list[Cell]) -> set[Cell]:
        values = {
            "cells": [str(cell) for cell in cells],
            "indexes": [self._indexes[cell] for cell in cells],
            "fewest": self._fewest,
            "share": SHARE,
        }
        large = {row["cell"] for row in transaction.rows(self._statement, values)}
        return {cell for cell in cells if str(cell) in large}
