"""Events on their way to PostgreSQL, as one array for each column: one statement, whatever their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from psycopg.sql import SQL, Identifier
from sqlalchemy import Table

from lamina.adapters.postgres.arrays import PackedInstants, PackedIntegers, PackedLongTexts, PackedUuids
from lamina.adapters.postgres.statements import Statement
from lamina.domain.event_chain import LoggedEvent

_KINDS: Final = {"position": "int4", "id": "uuid", "ts": "timestamptz", "loop_id": "uuid"}


def packed_insertion(table: Table) -> Statement:
    """Rows of a persona's events, of arrays that are named like the columns."""
    columns = [column.name for column in table.columns if column.name != "anchor_id"]
    arrays = SQL(", ").join(SQL(f"%({name})s::{_KINDS.get(name, 'text')}[]") for name in columns)
    text = SQL("INSERT INTO {} (anchor_id, {}) SELECT %(anchor_id)s, * FROM unnest({})").format(
        Identifier(table.schema or "", table.name), SQL(", ").join(map(Identifier, columns)), arrays
    )
    return Statement.written(text)


def packed_events(logged: Sequence[LoggedEvent]) -> dict[str, Any]:
    """Every column of these events."""
    events = [one.event for one in logged]
    return {
        "position": PackedIntegers.of([one.position for one in logged]),
        "id": PackedUuids.of(event.id for event in events),
        "ts": PackedInstants.of(event.ts for event in events),
        "loop_id": PackedUuids.of(event.loop_id for event in events),
        "kind": PackedLongTexts.of(event.kind.value for event in events),
        "visibility": PackedLongTexts.of(event.visibility.value for event in events),
        "content": PackedLongTexts.of(event.content for event in events),
        "metadata": PackedLongTexts.of(event.metadata.text for event in events),
        "previous": PackedLongTexts.of(one.previous.hex() for one in logged),
        "hash": PackedLongTexts.of(one.hash.hex() for one in logged),
    }
