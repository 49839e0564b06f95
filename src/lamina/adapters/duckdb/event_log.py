"""The perfect log in DuckDB. It has no triggers: nothing here changes a row, and the chain shows who did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.persona_transaction import PersonaTransaction
from lamina.adapters.duckdb.statements import instants
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import Link, LoggedEvent, continued
from lamina.domain.event_row import event_from, event_row
from lamina.domain.instants import checked_instant
from lamina.ports.event_log import Held, check_new, check_persona


class DuckDBEventLog:
    """The events of one persona, in one transaction. Units run one after another, so a chain has one writer."""

    def __init__(self, transaction: PersonaTransaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._persona = transaction.tables.persona
        self._events = transaction.tables.events
        self._agents = transaction.tables.agents

    def hold(self, loop_id: LoopId, after: int, ids: Sequence[EventId]) -> Held:
        """Whoever else would append waits already: units run one after another."""
        return Held(self.of_loops([loop_id], after), self.get(ids))

    def append(self, events: Sequence[Event]) -> list[LoggedEvent]:
        """Adds events to the end of the chain, in order, all or none."""
        check_persona(self._persona, events)
        if not events:
            return []
        check_new(events, self._taken([event.id for event in events]))
        end = self._end()
        logged = continued(self._anchor.id, events, end)
        self._statements.insert(self._events, (event_row(one) for one in logged))
        if end is None:
            self._list_agent()
        return logged

    def get(self, ids: Iterable[EventId]) -> dict[EventId, LoggedEvent]:
        """Those of the events that are there."""
        wanted = list(ids)
        found = self._select("id IN (SELECT unnest(?::UUID[]))", [wanted]) if wanted else []
        return {one.event.id: one for one in found}

    def range(self, start: datetime, end: datetime, after: int | None, limit: int) -> list[LoggedEvent]:
        """What happened from `start` on and before `end`, by time, then by position."""
        condition, values = "ts >= ? AND ts < ?", [checked_instant(start, "start"), checked_instant(end, "end")]
        paged: list[Any] = []
        if after is not None:
            last = f"(SELECT ts FROM {self._events} WHERE anchor_id = ? AND position = ?)"
            condition += f" AND (ts > {last} OR (ts = {last} AND position > ?))"
            paged = [*(self._anchor.id, after) * 2, after]
        return self._select(f"{condition} ORDER BY ts, position LIMIT ?", [*values, *paged, limit])

    def of_loops(self, loop_ids: Iterable[LoopId], after: int = -1) -> list[LoggedEvent]:
        """All events of some loops after a position, in the order of the chain."""
        condition = "position > ? AND loop_id IN (SELECT unnest(?::UUID[])) ORDER BY position"
        return self._select(condition, [after, list(loop_ids)])

    def chain(self, after: int | None, limit: int) -> list[LoggedEvent]:
        """The chain after a position, from its beginning after None, in its order."""
        return self._select("position > ? ORDER BY position LIMIT ?", [-1 if after is None else after, limit])

    def last(self) -> LoggedEvent | None:
        """The end of the chain."""
        end = self._end()
        return next(iter(self._select("position = ?", [end.position])), None) if end else None

    def _list_agent(self) -> None:
        # The other persona may have listed it before.
        keys = dict(self._anchor.parts)
        columns, marks = ", ".join(["anchor_id", *keys]), ", ".join("?" for _ in range(len(keys) + 1))
        self._statements.run(
            f"INSERT OR IGNORE INTO {self._agents} ({columns}) VALUES ({marks})", [self._anchor.id, *keys.values()]
        )

    def _end(self) -> Link | None:
        rows = self._statements.rows(
            f"SELECT position, hash FROM {self._events} WHERE anchor_id = ? ORDER BY position DESC LIMIT 1",
            [self._anchor.id],
        )
        return Link(rows[0]["position"], bytes.fromhex(rows[0]["hash"])) if rows else None

    def _taken(self, ids: Sequence[EventId]) -> list[EventId]:
        rows = self._statements.rows(
            f"SELECT id FROM {self._events} WHERE anchor_id = ? AND id IN (SELECT unnest(?::UUID[]))",
            [self._anchor.id, list(ids)],
        )
        return [row["id"] for row in rows]

    def _select(self, condition: str, parameters: Sequence[Any]) -> list[LoggedEvent]:
        rows = self._statements.rows(
            f"SELECT * EXCLUDE (ts), {instants(['ts'])} FROM {self._events} WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [event_from(self._anchor.id, self._persona, row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.event_log import EventLog

    _: type[EventLog] = DuckDBEventLog
