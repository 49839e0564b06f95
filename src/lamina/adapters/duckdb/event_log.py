"""The perfect log in DuckDB. It has no triggers: nothing here changes a row, and the chain shows who did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.event import Event, EventId
from lamina.domain.event_chain import Link, LoggedEvent, continued
from lamina.domain.event_row import event_from, event_row
from lamina.domain.events import Persona
from lamina.domain.instants import checked_instant
from lamina.ports.event_log import check_new, check_persona, not_kept


class DuckDBEventLog:
    """The events of one anchor, in one transaction. Units run one after another, so a chain has one writer."""

    def __init__(self, transaction: Transaction) -> None:
        names = transaction.names
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._kept = names.event_memory
        self._tables = {persona: names.table(f"{persona}_events") for persona in Persona}

    def append(self, persona: Persona, events: Sequence[Event]) -> list[LoggedEvent]:
        """Adds events to the end of the chain, in order, all or none."""
        if not self._kept:
            raise not_kept()
        check_persona(persona, events)
        check_new(events, self._taken(persona, [event.id for event in events]))
        logged = continued(self._anchor.id, events, self._end(persona))
        self._statements.insert(self._tables[persona], (event_row(one) for one in logged))
        return logged

    def get(self, persona: Persona, ids: Iterable[EventId]) -> dict[EventId, LoggedEvent]:
        """Those of the events that are there."""
        wanted = list(ids)
        found = self._select(persona, "id IN (SELECT unnest(?::UUID[]))", [wanted]) if wanted else []
        return {one.event.id: one for one in found}

    def range(
        self, persona: Persona, start: datetime, end: datetime, after: int | None, limit: int
    ) -> list[LoggedEvent]:
        """What happened from `start` on and before `end`, by time, then by position."""
        condition, values = "ts >= ? AND ts < ?", [checked_instant(start, "start"), checked_instant(end, "end")]
        paged: list[Any] = []
        if after is not None:
            last = f"(SELECT ts FROM {self._tables[persona]} WHERE anchor_id = ? AND position = ?)"
            condition += f" AND (ts > {last} OR (ts = {last} AND position > ?))"
            paged = [*(self._anchor.id, after) * 2, after]
        return self._select(persona, f"{condition} ORDER BY ts, position LIMIT ?", [*values, *paged, limit])

    def chain(self, persona: Persona, after: int | None, limit: int) -> list[LoggedEvent]:
        """The chain after a position, from its beginning after None, in its order."""
        return self._select(persona, "position > ? ORDER BY position LIMIT ?", [-1 if after is None else after, limit])

    def last(self, persona: Persona) -> LoggedEvent | None:
        """The end of the chain."""
        end = self._end(persona) if self._kept else None
        return next(iter(self._select(persona, "position = ?", [end.position])), None) if end else None

    def _end(self, persona: Persona) -> Link | None:
        rows = self._statements.rows(
            f"SELECT position, hash FROM {self._tables[persona]} WHERE anchor_id = ? ORDER BY position DESC LIMIT 1",
            [self._anchor.id],
        )
        return Link(rows[0]["position"], bytes.fromhex(rows[0]["hash"])) if rows else None

    def _taken(self, persona: Persona, ids: Sequence[EventId]) -> list[EventId]:
        rows = self._statements.rows(
            f"SELECT id FROM {self._tables[persona]} WHERE anchor_id = ? AND id IN (SELECT unnest(?::UUID[]))",
            [self._anchor.id, list(ids)],
        )
        return [row["id"] for row in rows]

    def _select(self, persona: Persona, condition: str, parameters: Sequence[Any]) -> list[LoggedEvent]:
        if not self._kept:
            return []
        rows = self._statements.rows(
            f"SELECT * EXCLUDE (ts), {instants(['ts'])} FROM {self._tables[persona]}"
            f" WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [event_from(self._anchor.id, persona, row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.event_log import EventLog

    _: type[EventLog] = DuckDBEventLog
