"""Corroborations in Postgres (D9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.rows import DictRow
from sqlalchemy import bindparam, select

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import RowWriter, write
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.errors import StoreError
from lamina.domain.ids import MemoryId


@dataclass(frozen=True, slots=True)
class CorroborationStatements:
    """What is asked of the corroborations table."""

    rows: RowWriter
    of_record: Statement

    @classmethod
    def of(cls, tables: Tables) -> CorroborationStatements | None:
        """The statements of one spec; none if it keeps no corroborations."""
        if not tables.names.corroborations:
            return None
        table = tables["corroborations"]
        this = (table.c.anchor_id == bindparam("anchor_id"), table.c.memory_id == bindparam("memory_id"))
        oldest_first = select(*readable(table)).where(*this).order_by(table.c.corroborated_at, table.c.id)
        return cls(RowWriter.of(table), Statement.of(oldest_first))


class PostgresCorroborations:
    """The corroborations of one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: CorroborationStatements | None) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, corroborations: Sequence[Corroboration]) -> None:
        """Writes new ones, all or none."""
        if self._statements is None:
            raise StoreError("corroborations", "are not kept by this spec", "say so in its persistence if they should")
        rows = [self._row(one) for one in corroborations]
        about = About(sorted({str(one.memory_id) for one in corroborations}))
        write(self._transaction, [(self._statements.rows, rows)], lambda: about)

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        if self._statements is None:
            return []
        return [_read(row) for row in self._transaction.rows(self._statements.of_record, {"memory_id": memory_id})]

    def _row(self, one: Corroboration) -> dict[str, Any]:
        return {
            "anchor_id": self._transaction.anchor.id,
            "id": one.id,
            "memory_id": one.memory_id,
            "source_type": one.source_type.value,
            "source_ref": one.source_ref,
            "corroborated_at": one.corroborated_at,
            "session_id": one.session_id,
            "outcome": one.outcome.value,
            "notes": one.notes,
        }


def _read(row: DictRow) -> Corroboration:
    return Corroboration(
        id=row["id"],
        memory_id=row["memory_id"],
        source_type=SourceType(row["source_type"]),
        source_ref=row["source_ref"],
        corroborated_at=row["corroborated_at"],
        session_id=row["session_id"],
        outcome=Finding(row["outcome"]),
        notes=row["notes"],
    )


if TYPE_CHECKING:
    from lamina.ports.corroborations import Corroborations

    _: type[Corroborations] = PostgresCorroborations
