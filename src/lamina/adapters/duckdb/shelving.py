"""Rows for a shelf, from the tables: when an anchor is first searched."""

from __future__ import annotations

from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import halves_of_texts
from lamina.adapters.duckdb.arrivals import Arrivals, Documents
from lamina.adapters.duckdb.shelf_rows import NOBODY, TIERS, TYPOLOGIES
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.record_row import NOT_LIVE

LIVE: Final = " AND ".join(f"{column} IS NULL" for column in NOT_LIVE)
_SEARCHABLE: Final = "held_at IS NULL AND tombstoned_at IS NULL"
_LOADING: Final = """
    SELECT m.id::VARCHAR AS id, coalesce(m.origin_session_id, ?)::VARCHAR AS session,
        coalesce(m.origin_position, -1) AS position,
        list_position(?, m.tier::VARCHAR) - 1 AS tier, list_position(?, m.typology::VARCHAR) - 1 AS typology,
        epoch_us(m.valid_at) AS valid_at, ({live}) AS live, ({searchable}) AND NOT ({live}) AS retired,
        e.vector, d.length, d.terms, d.frequencies
    FROM {documents} d JOIN {memory} m ON m.anchor_id = d.anchor_id AND m.id = d.memory_id
        LEFT JOIN {embeddings} e ON e.anchor_id = m.anchor_id AND e.memory_id = m.id AND e.model = ?
    WHERE d.anchor_id = ?
"""


def stored(transaction: Transaction) -> Arrivals:
    """All that the tables have of the anchor."""
    names = transaction.names
    sql = _LOADING.format(
        live=LIVE,
        searchable=_SEARCHABLE,
        **{table: names.table(table) for table in ("documents", "memory", "embeddings")},
    )
    values = [NOBODY, list(TIERS), list(TYPOLOGIES), transaction.embedding.model, transaction.anchor.id]
    columns = transaction.statements.columns(sql, values)
    columns["high"], columns["low"] = halves_of_texts(columns.pop("id").tolist())
    columns["session_high"], columns["session_low"] = halves_of_texts(columns.pop("session").tolist())
    vectors, lengths = columns.pop("vector"), columns.pop("length")
    have_vectors = ~np.ma.getmaskarray(vectors)
    documents = Documents(columns.pop("terms").tolist(), columns.pop("frequencies").tolist(), lengths)
    return Arrivals(columns, np.ma.getdata(vectors)[have_vectors].tolist(), have_vectors, documents)
