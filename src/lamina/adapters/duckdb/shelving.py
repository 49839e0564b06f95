"""Rows for a shelf, from the tables: when an anchor is first searched."""

from __future__ import annotations

from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import halves_of_texts
from lamina.adapters.duckdb.arrivals import Arrivals, Documents
from lamina.adapters.duckdb.shelf_columns import NOBODY
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.outline import NEVER
from lamina.domain.record_row import NOT_LIVE
from lamina.domain.typology import CELLS

LIVE: Final = " AND ".join(f"{column} IS NULL" for column in NOT_LIVE)
_SEARCHABLE: Final = "held_at IS NULL AND tombstoned_at IS NULL"
_DISPOSED: Final = "m.promoted_at IS NOT NULL OR m.exempted_at IS NOT NULL OR NOT ({live})"
_LOADING: Final = """
    SELECT m.id::VARCHAR AS id, coalesce(m.origin_session_id, ?)::VARCHAR AS session,
        coalesce(m.origin_position, -1) AS position, length(m.body_text) AS characters,
        CASE WHEN right(rtrim(m.body_text, ' \n'), 1) = '?' THEN length(regexp_extract(m.body_text, '[^.!]*$'))
            ELSE 0 END AS asking,
        list_position(?, m.tier::VARCHAR || '/' || m.typology::VARCHAR) - 1 AS cell,
        epoch_us(m.valid_at) AS valid_at, epoch_us(m.recorded_at) AS recorded_at,
        ({live}) AS live, ({searchable}) AND NOT ({live}) AS retired, {disposed} AS disposed,
        epoch_us(coalesce(m.granted_at, m.recorded_at)) AS known_at,
        coalesce(epoch_us(m.invalid_at), {never}) AS invalid_at,
        coalesce(epoch_us(m.former_invalid_at), {never}) AS former_end,
        coalesce(epoch_us(m.archived_at), {never}) AS archived_at,
        coalesce(epoch_us(m.invalidated_at), {never}) AS invalidated_at,
        coalesce(epoch_us(m.superseded_at), {never}) AS superseded_at,
        coalesce(c.confirmations, 0) AS confirmations, coalesce(epoch_us(c.confirmed_at), {never}) AS confirmed_at,
        e.vector, d.length, d.terms, d.frequencies
    FROM {documents} d JOIN {memory} m ON m.anchor_id = d.anchor_id AND m.id = d.memory_id
        LEFT JOIN {embeddings} e ON e.anchor_id = m.anchor_id AND e.memory_id = m.id AND e.model = ?
        LEFT JOIN ({confirmed}) c ON c.memory_id = m.id
    WHERE d.anchor_id = ?
"""
_CONFIRMED: Final = """
    SELECT memory_id, count(*) AS confirmations, max(corroborated_at) AS confirmed_at
    FROM {corroborations} WHERE anchor_id = ? AND outcome = 'confirmed' GROUP BY memory_id
"""
_NEVER_CONFIRMED: Final = """
    SELECT NULL::UUID AS memory_id, 0 AS confirmations, NULL::TIMESTAMPTZ AS confirmed_at WHERE ?::UUID IS NULL
"""


def stored(transaction: Transaction) -> Arrivals:
    """All that the tables have of the anchor."""
    names = transaction.names
    confirmed = _CONFIRMED if names.corroborations else _NEVER_CONFIRMED
    sql = _LOADING.format(
        live=LIVE,
        searchable=_SEARCHABLE,
        disposed=_DISPOSED.format(live=LIVE),
        never=NEVER,
        confirmed=confirmed.format(corroborations=names.table("corroborations")),
        **{table: names.table(table) for table in ("documents", "memory", "embeddings")},
    )
    anchor_id = transaction.anchor.id
    values = [NOBODY, list(map(str, CELLS)), transaction.embedding.model, anchor_id, anchor_id]
    columns = transaction.statements.columns(sql, values)
    columns["high"], columns["low"] = halves_of_texts(columns.pop("id").tolist())
    columns["session_high"], columns["session_low"] = halves_of_texts(columns.pop("session").tolist())
    vectors, lengths = columns.pop("vector"), columns.pop("length")
    have_vectors = ~np.ma.getmaskarray(vectors)
    documents = Documents(columns.pop("terms").tolist(), columns.pop("frequencies").tolist(), lengths)
    return Arrivals(columns, np.ma.getdata(vectors)[have_vectors].tolist(), have_vectors, documents)
