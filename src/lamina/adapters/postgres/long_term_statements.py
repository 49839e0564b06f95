"""What is asked of one persona's long-term memory, as SQL. None of it names the other's tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from psycopg.sql import SQL, Composable, Identifier

from lamina.adapters.postgres.derived_tables import DERIVED
from lamina.adapters.postgres.event_log import LogStatements
from lamina.adapters.postgres.row_writer import RowWriter
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.domain.derived_row import ENTRY_COLUMNS
from lamina.domain.events import Persona

TRY_LOCK: Final = Statement.written(SQL("SELECT pg_try_advisory_xact_lock(%(key)s) AS ours").format())
# Only equality of uuid and of text, and comparison of integers and times, stand below the policy.
_CHOSEN: Final = SQL("""
    kind = ANY (%(kinds)s::text[]) AND visibility = ANY (%(visibilities)s::text[])
    AND (%(loop_id)s::uuid IS NULL OR loop_id = %(loop_id)s)
    AND (%(since)s::timestamptz IS NULL OR ts >= %(since)s) AND (%(until)s::timestamptz IS NULL OR ts < %(until)s)
""")
_LACKING: Final = SQL("""
    SELECT event.position FROM {events} AS event
    WHERE event.anchor_id = %(anchor_id)s AND event.position > %(after)s AND NOT EXISTS (
        SELECT FROM {entries} AS entry WHERE entry.anchor_id = %(anchor_id)s AND entry.position = event.position
        AND entry.status = 'derived' AND entry.model = %(model)s
    ) ORDER BY event.position LIMIT 1
""")
_PAGE: Final = SQL("""
    SELECT event.*, entry.entry, entry.status, entry.attempts, entry.last_error
    FROM {events} AS event LEFT JOIN {entries} AS entry
        ON entry.anchor_id = %(anchor_id)s AND entry.position = event.position
    WHERE event.anchor_id = %(anchor_id)s AND event.position >= %(start)s AND event.position < %(end)s
        AND (entry.status IS NULL OR entry.status <> 'derived' OR entry.model <> %(model)s)
    ORDER BY event.position
""")
# Materialized: what is compared is the persona's own and chosen, and nothing is looked for far and wide.
_NEAREST: Final = SQL("""
    WITH compared AS MATERIALIZED (
        SELECT id, ts, 1 - (vector OPERATOR({vector_schema}.<=>) %(query)s::{vector_schema}.vector) AS score
        FROM {entries} WHERE anchor_id = %(anchor_id)s AND model = %(model)s AND {chosen}
    )
    SELECT id, score FROM compared ORDER BY score DESC, ts DESC, id LIMIT %(limit)s
""")
# Only what has a term of the query is taken apart: the policy has chosen the rows before `&&` is asked.
_COUNTING: Final = SQL("""
    WITH mine AS MATERIALIZED (
        SELECT terms FROM {entries} WHERE anchor_id = %(anchor_id)s AND terms && %(terms)s::text[]
    ), counted AS (
        SELECT one.term, count(*) AS containing FROM mine CROSS JOIN LATERAL unnest(mine.terms) AS one (term)
        WHERE one.term = ANY (%(terms)s::text[]) GROUP BY one.term
    ), whole AS (
        SELECT count(*) AS documents, coalesce(sum(length), 0)::bigint AS total_length FROM {entries}
        WHERE anchor_id = %(anchor_id)s AND length > 0
    )
    SELECT whole.documents, whole.total_length, counted.term, counted.containing FROM whole LEFT JOIN counted ON true
""")
# Each sum in the order of the weights, as the domain adds.
_MATCHING: Final = SQL("""
    WITH asked AS MATERIALIZED (
        SELECT * FROM unnest(%(terms)s::text[], %(weights)s::float8[]) WITH ORDINALITY AS asked (term, weight, place)
    ), mine AS MATERIALIZED (
        SELECT id, ts, length, terms, frequencies FROM {entries}
        WHERE anchor_id = %(anchor_id)s AND {chosen} AND terms && %(terms)s::text[]
    )
    SELECT mine.id, sum(
        asked.weight * one.tf::float8 / (one.tf::float8 + (%(flat)s::float8 + %(slope)s::float8 * mine.length::float8))
        ORDER BY asked.place
    ) AS score
    FROM mine CROSS JOIN LATERAL unnest(mine.terms, mine.frequencies) AS one (term, tf)
    JOIN asked ON asked.term = one.term
    GROUP BY mine.id, mine.ts ORDER BY score DESC, mine.ts DESC, mine.id LIMIT %(limit)s
""")
_REMAINING: Final = SQL("""
    SELECT status, count(*) AS count, max(attempts) AS attempts,
        (array_agg(last_error ORDER BY attempts DESC, position DESC))[1] AS last_error
    FROM {entries} WHERE anchor_id = %(anchor_id)s AND status <> 'derived' GROUP BY status
    UNION ALL
    SELECT 'pending_embedding', count(*), 0, NULL FROM {entries}
    WHERE anchor_id = %(anchor_id)s AND status = 'derived' AND model <> %(model)s
    UNION ALL
    SELECT 'pending_compaction', (SELECT count(*) FROM {events} WHERE anchor_id = %(anchor_id)s)
        - (SELECT count(*) FROM {entries} WHERE anchor_id = %(anchor_id)s), 0, NULL
""")


@dataclass(frozen=True, slots=True)
class LongTermStatements:
    """The statements of one spec and one persona."""

    log: LogStatements
    rows: RowWriter
    lacking: Statement
    page: Statement
    get: Statement
    nearest: Statement
    counting: Statement
    matching: Statement
    remaining: Statement
    try_lock: Statement = TRY_LOCK

    @classmethod
    def of(cls, tables: Tables, persona: Persona, log: LogStatements) -> LongTermStatements:
        """The statements of one spec and one persona."""
        names = tables.names
        table = tables[names.long_term_of(persona)]
        # An entry of another model than the store's is embedded anew, in the words that it has.
        pending = SQL("{0}.status <> 'derived' OR {0}.model IS DISTINCT FROM excluded.model").format(
            Identifier(table.name)
        )
        parts: dict[str, Composable] = {
            "events": Identifier(names.schema, names.own(names.events_of(persona))),
            "entries": Identifier(names.schema, names.own(names.long_term_of(persona))),
            "columns": SQL(", ").join(Identifier(name) for name in ENTRY_COLUMNS),
            "vector_schema": Identifier(tables.vector_schema),
            "chosen": _CHOSEN,
        }
        get = SQL("SELECT {columns} FROM {entries} WHERE anchor_id = %(anchor_id)s AND id = ANY (%(ids)s::uuid[])")
        texts = (_LACKING, _PAGE, get, _NEAREST, _COUNTING, _MATCHING, _REMAINING)
        written = (Statement.written(text.format(**parts)) for text in texts)
        return cls(log, RowWriter.replacing(table, DERIVED, pending), *written)
