"""Which cells of an anchor are large enough for HNSW to be the faster way, and to find enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.typology import CELLS, Cell

FEWEST: Final = 20_000
MOST_ANCHORS: Final = 10_000
"""Of how many anchors anything is remembered."""
SHARE: Final = 0.1
"""Below this share of its cell an anchor is compared one by one: HNSW would walk past nine others for each it keeps."""


# How many rows a whole cell has is what the planner thinks of its index: row security shows no other anchor's.
_LARGE: Final = SQL("""
    SELECT held.cell
    FROM (
        SELECT cell, count(*) AS rows FROM {embeddings}
        WHERE anchor_id = %(anchor_id)s AND cell = ANY (%(cells)s) AND model = %(model)s
        GROUP BY cell
    ) AS held
    JOIN unnest(%(cells)s::text[], %(indexes)s::text[]) AS asked (cell, index) ON asked.cell = held.cell
    LEFT JOIN pg_catalog.pg_class AS whole ON whole.oid = to_regclass(asked.index)
    WHERE held.rows >= greatest(%(fewest)s, coalesce(whole.reltuples, 0) * %(share)s)
""")


@dataclass(slots=True)
class _Known:
    """What was found of one anchor, and when it is to be asked again about what was small."""

    ask_again_at: float
    asked: set[Cell] = field(default_factory=set)
    large: set[Cell] = field(default_factory=set)


class LargeCells:
    """Remembers what is large for good, as persistent rows are never removed, and what is small for a while: counting
    takes as long as a search. Where it is wrong, a search is slower, and finds the same."""

    def __init__(self, names: Names, embedding: EmbeddingChoice, fewest: int = FEWEST, patience: float = 30.0) -> None:
        table = Identifier(names.schema, names.own("embeddings"))
        self._statement = Statement.written(_LARGE.format(embeddings=table))
        self._indexes = {cell: f'"{names.schema}"."{names.near_index(cell, embedding.model)}"' for cell in CELLS}
        self._model = embedding.model
        self._fewest = fewest
        self._patience = patience
        self._known: dict[AnchorId, _Known] = {}

    def of(self, transaction: Transaction, asked: frozenset[Cell]) -> frozenset[Cell]:
        """Those of the cells that are large for the transaction's anchor."""
        known = self._of_anchor(transaction.anchor.id)
        new = asked - known.asked
        if new:
            known.large |= self._ask(transaction, sorted(new))
            known.asked |= new
        return asked & known.large

    def _of_anchor(self, anchor_id: AnchorId) -> _Known:
        now = monotonic()
        known = self._known.get(anchor_id)
        if known is None:
            if len(self._known) >= MOST_ANCHORS:
                self._known.clear()
            known = self._known[anchor_id] = _Known(now + self._patience)
        elif known.ask_again_at <= now:
            known.ask_again_at = now + self._patience
            known.asked = set(known.large)
        return known

    def _ask(self, transaction: Transaction, cells: list[Cell]) -> set[Cell]:
        values = {
            "cells": [str(cell) for cell in cells],
            "indexes": [self._indexes[cell] for cell in cells],
            "model": self._model,
            "fewest": self._fewest,
            "share": SHARE,
        }
        large = {row["cell"] for row in transaction.rows(self._statement, values)}
        return {cell for cell in cells if str(cell) in large}
