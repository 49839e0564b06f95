"""The perfect log in Postgres: the database itself refuses to change or remove an event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from psycopg.rows import DictRow
from psycopg.sql import SQL
from sqlalchemy import Integer, Table, any_, bindparam, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.packing import packed_events, packed_insertion
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import Link, LoggedEvent, continued
from lamina.domain.event_row import event_from
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.domain.instants import checked_instant
from lamina.ports.event_log import Held, check_new, check_persona

LOCK = Statement.written(SQL("SELECT pg_advisory_xact_lock(%(key)s)").format())


@dataclass(frozen=True, slots=True)
class LogStatements:
    """What is asked of one persona's table. None of it names the other's."""

    table: Table
    insert: Statement
    end: Statement
    taken: Statement
    get: Statement
    within: Statement
    within_after: Statement
    of_loops: Statement
    chain: Statement
    last: Statement

    @classmethod
    def of(cls, tables: Tables, persona: Persona) -> LogStatements:
        """The statements of one spec and one persona."""
        table = tables[tables.names.events_of(persona)]
        mine, limit = table.c.anchor_id == bindparam("anchor_id"), bindparam("limit", type_=Integer)
        after = bindparam("after", type_=Integer)
        start, end = (bindparam(name, type_=TIMESTAMP(timezone=True)) for name in ("start", "end"))
        these = (mine, table.c.id == any_(bindparam("ids", type_=ARRAY(UUID))))
        whole = select(table).where(mine)
        within = whole.where(table.c.ts >= start, table.c.ts < end).order_by(table.c.ts, table.c.position).limit(limit)
        before = table.alias()
        last_ts = select(before.c.ts).where(before.c.anchor_id == bindparam("anchor_id"), before.c.position == after)
        further = tuple_(table.c.ts, table.c.position) > tuple_(last_ts.scalar_subquery(), after)
        looped = table.c.loop_id == any_(bindparam("loops", type_=ARRAY(UUID)))
        newest_first = table.c.position.desc()
        return cls(
            table=table,
            insert=packed_insertion(table),
            end=Statement.of(select(table.c.position, table.c.hash).where(mine).order_by(newest_first).limit(1)),
            taken=Statement.of(select(table.c.id).where(*these)),
            get=Statement.of(select(table).where(*these)),
            within=Statement.of(within),
            within_after=Statement.of(within.where(further)),
            of_loops=Statement.of(whole.where(looped, table.c.position > after).order_by(table.c.position)),
            chain=Statement.of(whole.where(table.c.position > after).order_by(table.c.position).limit(limit)),
            last=Statement.of(whole.order_by(newest_first).limit(1)),
        )

    def key_of(self, anchor_id: AnchorId, part: str = "") -> int:
        """The number that the writers of one chain, or of a part of what is derived from it, are told apart by."""
        name = f"{self.table.schema}.{self.table.name} {anchor_id}{part}"
        return int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)


class PostgresEventLog:
    """The events of one persona of one anchor, in one transaction."""

    def __init__(self, transaction: Transaction, statements: LogStatements, persona: Persona) -> None:
        self._transaction = transaction
        self._anchor_id = transaction.anchor.id
        self._asked = statements
        self._persona = persona
        self._end: Link | None = None
        self._looked_for: frozenset[EventId] = frozenset()
        self._taken: set[EventId] = set()
        """Those of the ids that were looked for, under the lock, that are there."""

    def hold(self, loop_id: LoopId, after: int, ids: Sequence[EventId]) -> Held:
        """Whoever else would append to the chain waits from here on until this unit has ended."""
        # In one round trip, and yet each a statement of its own: the later ones see what whoever held the lock before
        # has committed.
        _, end, of_loop, known = self._transaction.named(
            [
                (LOCK, {"key": self._asked.key_of(self._anchor_id)}),
                (self._asked.end, {}),
                (self._asked.of_loops, {"loops": [loop_id], "after": after}),
                (self._asked.get, {"ids": list(ids)}),
            ]
        )
        self._end = _link(end)
        self._looked_for = frozenset(ids)
        there = {row["id"]: event_from(self._anchor_id, self._persona, row) for row in known}
        self._taken = set(there)
        return Held([event_from(self._anchor_id, self._persona, row) for row in of_loop], there)

    def append(self, events: Sequence[Event]) -> list[LoggedEvent]:
        """Adds events to the end of the chain, in order, all or none."""
        check_persona(self._persona, events)
        if not events:
            return []
        ids = [event.id for event in events]
        if not self._looked_for.issuperset(ids):
            self._look_for(ids)
        check_new(events, self._taken)
        logged = continued(self._anchor_id, events, self._end)
        self._transaction.count(self._asked.insert, packed_events(logged), lambda: About(ids=ids))
        self._end = logged[-1].link
        self._taken.update(ids)
        return logged

    def get(self, ids: Iterable[EventId]) -> dict[EventId, LoggedEvent]:
        """Those of the events that are there."""
        wanted = list(ids)
        found = self._select(self._asked.get, {"ids": wanted}) if wanted else []
        return {one.event.id: one for one in found}

    def range(self, start: datetime, end: datetime, after: int | None, limit: int) -> list[LoggedEvent]:
        """What happened from `start` on and before `end`, by time, then by position."""
        values = {"start": checked_instant(start, "start"), "end": checked_instant(end, "end"), "limit": limit}
        if after is None:
            return self._select(self._asked.within, values)
        return self._select(self._asked.within_after, {**values, "after": after})

    def of_loops(self, loop_ids: Iterable[LoopId], after: int = -1) -> list[LoggedEvent]:
        """All events of some loops after a position, in the order of the chain."""
        return self._select(self._asked.of_loops, {"loops": list(loop_ids), "after": after})

    def chain(self, after: int | None, limit: int) -> list[LoggedEvent]:
        """The chain after a position, from its beginning after None, in its order."""
        return self._select(self._asked.chain, {"after": -1 if after is None else after, "limit": limit})

    def last(self) -> LoggedEvent | None:
        """The end of the chain."""
        return next(iter(self._select(self._asked.last, {})), None)

    def _look_for(self, ids: Sequence[EventId]) -> None:
        lock = (LOCK, {"key": self._asked.key_of(self._anchor_id)})
        _, end, taken = self._transaction.named([lock, (self._asked.end, {}), (self._asked.taken, {"ids": ids})])
        self._end = _link(end)
        self._looked_for = frozenset(ids)
        self._taken = {row["id"] for row in taken}

    def _select(self, statement: Statement, values: Values) -> list[LoggedEvent]:
        rows = self._transaction.rows(statement, values)
        return [event_from(self._anchor_id, self._persona, row) for row in rows]


def _link(rows: Sequence[DictRow]) -> Link | None:
    return Link(rows[0]["position"], bytes.fromhex(rows[0]["hash"])) if rows else None


if TYPE_CHECKING:
    from lamina.ports.event_log import EventLog

    _: type[EventLog] = PostgresEventLog
