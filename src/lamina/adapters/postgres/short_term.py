"""Short-term memory in Postgres: a loop is claimed by a lock that ends with its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composable, Identifier

from lamina.adapters.postgres.arrays import PackedUuids
from lamina.adapters.postgres.derived_tables import SUMMED
from lamina.adapters.postgres.errors import translated
from lamina.adapters.postgres.event_log import LogStatements
from lamina.adapters.postgres.row_writer import RowWriter, write
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.derivation import Remainder
from lamina.domain.derived_row import SUMMARY_COLUMNS, remainders, summary_from, summary_row
from lamina.domain.event import LoopId
from lamina.domain.events import Persona
from lamina.domain.loop_summary import LoopSummary
from lamina.ports.short_term import Stamp, Window

# A loop's last position after `after` is its last of all, so that what lies before need not be looked at.
_STALE: Final = SQL("""
    SELECT gone_on.loop_id, gone_on.last FROM (
        SELECT loop_id, max(position) AS last FROM {events}
        WHERE anchor_id = %(anchor_id)s AND position > %(after)s AND {these} GROUP BY loop_id
    ) AS gone_on WHERE NOT EXISTS (
        SELECT FROM {summaries} AS known WHERE known.anchor_id = %(anchor_id)s AND known.loop_id = gone_on.loop_id
        AND known.status = 'derived' AND known.last_position >= gone_on.last
    ) ORDER BY gone_on.last LIMIT %(limit)s
""")
_LOCKED: Final = SQL("""
    SELECT asked.loop_id FROM unnest(%(loops)s::uuid[], %(keys)s::bigint[]) AS asked (loop_id, key)
    WHERE pg_try_advisory_xact_lock(asked.key)
""")
LOCKED: Final = Statement.written(_LOCKED.format())
_WINDOW: Final = SQL("""
    SELECT loop_id, normalized, extract(epoch FROM last_ts)::float8, kind, visibility FROM (
        SELECT * FROM {summaries} WHERE anchor_id = %(anchor_id)s ORDER BY last_position DESC LIMIT %(limit)s
    ) AS last WHERE status = 'derived' ORDER BY last_position DESC
""")
_STAMP: Final = SQL("""
    SELECT count(*) AS loops, coalesce(sum(last_position), 0)::bigint AS positions,
        count(*) FILTER (WHERE status = 'derived') AS summarised
    FROM (
        SELECT last_position, status FROM {summaries} WHERE anchor_id = %(anchor_id)s
        ORDER BY last_position DESC LIMIT %(limit)s
    ) AS last
""")
_IDLE: Final = SQL("""
    SELECT loop_id FROM {summaries} WHERE anchor_id = %(anchor_id)s AND phase IN ('new', 'open')
    AND last_ts <= %(since)s ORDER BY last_ts, loop_id LIMIT %(limit)s
""")
_REMAINING: Final = SQL("""
    SELECT status, count(*) AS count, max(attempts) AS attempts,
        (array_agg(last_error ORDER BY attempts DESC, last_position DESC))[1] AS last_error
    FROM {summaries} WHERE anchor_id = %(anchor_id)s AND status <> 'derived' GROUP BY status
    UNION ALL
    SELECT 'pending_summary', (SELECT count(DISTINCT loop_id) FROM {events} WHERE anchor_id = %(anchor_id)s)
        - (SELECT count(*) FROM {summaries} WHERE anchor_id = %(anchor_id)s), 0, NULL
""")


@dataclass(frozen=True, slots=True)
class ShortTermStatements:
    """The statements of one spec and one persona."""

    log: LogStatements
    rows: RowWriter
    stale: Statement
    still_stale: Statement
    get: Statement
    stamp: Statement
    window: Statement
    idle: Statement
    remaining: Statement
    locked: Statement = LOCKED

    @classmethod
    def of(cls, tables: Tables, persona: Persona, log: LogStatements) -> ShortTermStatements:
        """The statements of one spec and one persona."""
        names = tables.names
        table = tables[names.short_term_of(persona)]
        own = Identifier(table.name)
        newer = SQL(
            "{0}.last_position < excluded.last_position"
            " OR ({0}.last_position = excluded.last_position AND {0}.status <> 'derived')"
        ).format(own)
        parts: dict[str, Composable] = {
            "events": Identifier(names.schema, names.own(names.events_of(persona))),
            "summaries": Identifier(names.schema, names.own(names.short_term_of(persona))),
            "columns": SQL(", ").join(Identifier(name) for name in SUMMARY_COLUMNS),
        }
        get = SQL(
            "SELECT {columns} FROM {summaries} WHERE anchor_id = %(anchor_id)s AND loop_id = ANY (%(loops)s::uuid[])"
        )
        these = SQL("loop_id = ANY (%(loops)s::uuid[])")
        stale = Statement.written(_STALE.format(**parts, these=SQL("true")))
        still_stale = Statement.written(_STALE.format(**parts, these=these))
        rest = (Statement.written(text.format(**parts)) for text in (get, _STAMP, _WINDOW, _IDLE, _REMAINING))
        return cls(log, RowWriter.replacing(table, SUMMED, newer), stale, still_stale, *rest)


class PostgresShortTerm:
    """The summaries of one persona of one anchor, in one transaction."""

    def __init__(self, transaction: Transaction, statements: ShortTermStatements) -> None:
        self._transaction = transaction
        self._asked = statements

    def claim(self, after: int, limit: int) -> list[LoopId]:
        """The next loops whose summary is not derived or does not cover their last event, and nobody else was given."""
        while found := self._transaction.rows(self._asked.stale, {"after": after, "limit": limit}):
            ours = self._locked([row["loop_id"] for row in found])
            values = {"after": after, "limit": limit, "loops": ours}
            # Asked again: whoever held a loop before has committed its summary.
            claimed = self._transaction.rows(self._asked.still_stale, values) if ours else []
            if claimed:
                return [row["loop_id"] for row in claimed]
            after = found[-1]["last"]
        return []

    def put(self, summaries: Sequence[LoopSummary]) -> None:
        """Writes summaries, all or none; one that covers less than what is there, or is less done, is not taken."""
        anchor_id = self._transaction.anchor.id
        rows = ({"anchor_id": anchor_id, **summary_row(one), "covers": PackedUuids.of(one.covers)} for one in summaries)
        write(self._transaction, [(self._asked.rows, rows)], len(summaries))

    def get(self, loop_ids: Iterable[LoopId]) -> dict[LoopId, LoopSummary]:
        """Those of the summaries that are there."""
        rows = self._transaction.rows(self._asked.get, {"loops": list(loop_ids)})
        return {row["loop_id"]: summary_from(row) for row in rows}

    def stamp(self, limit: int) -> Stamp:
        """What changes whenever the window does."""
        (row,) = self._transaction.rows(self._asked.stamp, {"limit": limit})
        return row["loops"], row["positions"], row["summarised"]

    def window(self, limit: int) -> Window:
        """The summaries of the last loops, by their last event's position."""
        values = {"anchor_id": self._transaction.anchor.id, "limit": limit}
        with translated(), self._transaction.connection.cursor(binary=True, row_factory=tuple_row) as cursor:
            rows = cursor.execute(self._asked.window.text, values, prepare=False).fetchall()
        ids, texts, seconds, kinds, visibilities = zip(*rows, strict=True) if rows else ((), (), (), (), ())
        return Window(ids, texts, seconds, list(zip(kinds, visibilities, strict=True)))

    def idle(self, since: datetime, limit: int) -> list[LoopId]:
        """The loops that are not over, and in which nothing has happened since."""
        return [row["loop_id"] for row in self._transaction.rows(self._asked.idle, {"since": since, "limit": limit})]

    def remaining(self) -> list[Remainder]:
        """What is not summarised yet."""
        return remainders(self._transaction.rows(self._asked.remaining, {}))

    def _locked(self, loop_ids: Sequence[LoopId]) -> list[LoopId]:
        keys = [self._asked.log.key_of(self._transaction.anchor.id, f" {loop_id}") for loop_id in loop_ids]
        rows = self._transaction.rows(self._asked.locked, {"loops": list(loop_ids), "keys": keys})
        return [row["loop_id"] for row in rows]


if TYPE_CHECKING:
    from lamina.ports.short_term import ShortTerm

    _: type[ShortTerm] = PostgresShortTerm
