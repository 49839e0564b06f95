"""Corroborations in Postgres (D9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import any_, bindparam, select
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import RowWriter, write
from lamina.adapters.postgres.selecting import is_mine
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.corroboration import Corroboration, by_record
from lamina.domain.errors import StoreError
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import corroboration_from, corroboration_row


@dataclass(frozen=True, slots=True)
class CorroborationStatements:
    """What is asked of the corroborations table."""

    rows: RowWriter
    of_records: Statement

    @classmethod
    def of(cls, tables: Tables) -> CorroborationStatements | None:
        """The statements of one spec; none if it keeps no corroborations."""
        if not tables.names.corroborations:
            return None
        table = tables["corroborations"]
        these = (is_mine(table), table.c.memory_id == any_(bindparam("ids", type_=ARRAY(UUID))))
        oldest_first = select(*readable(table)).where(*these).order_by(table.c.corroborated_at, table.c.id)
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
        rows = [corroboration_row(self._transaction.anchor.id, one) for one in corroborations]
        about = About(sorted({str(one.memory_id) for one in corroborations}), ids=[one.id for one in corroborations])
        write(self._transaction, [(self._statements.rows, rows)], len(rows), lambda: about)

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        return self.of_any([memory_id]).get(memory_id, [])

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Corroboration]]:
        """Those of each record that has any, oldest first."""
        if self._statements is None or not ids:
            return {}
        rows = self._transaction.rows(self._statements.of_records, {"ids": list(ids)})
        return by_record(corroboration_from(row) for row in rows)


if TYPE_CHECKING:
    from lamina.ports.corroborations import Corroborations

    _: type[Corroborations] = PostgresCorroborations
