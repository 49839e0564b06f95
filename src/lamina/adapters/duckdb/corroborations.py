"""Corroborations in DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.corroboration import Corroboration, by_record
from lamina.domain.errors import StoreError
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import corroboration_from, corroboration_row


class DuckDBCorroborations:
    """The corroborations of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._shelves = transaction.held.shelves
        self._table = transaction.names.table("corroborations") if transaction.names.corroborations else None

    def add(self, corroborations: Sequence[Corroboration]) -> None:
        """Writes new ones, all or none."""
        if self._table is None:
            raise StoreError("corroborations", "are not kept by this spec", "say so in its persistence if they should")
        self._statements.insert(self._table, [corroboration_row(self._anchor.id, one) for one in corroborations])
        shelf = self._shelves.loaded(self._anchor.id)
        for one in corroborations if shelf else ():
            if shelf and one.confirms:
                shelf.confirm(one.memory_id, one.corroborated_at)

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        return self.of_any([memory_id]).get(memory_id, [])

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Corroboration]]:
        """Those of each record that has any, oldest first."""
        if self._table is None or not ids:
            return {}
        rows = self._statements.rows(
            f"SELECT * EXCLUDE (corroborated_at), {instants(['corroborated_at'])} FROM {self._table}"
            f" WHERE anchor_id = ? AND memory_id IN (SELECT unnest(?::UUID[])) ORDER BY corroborated_at, id",
            [self._anchor.id, list(ids)],
        )
        return by_record(corroboration_from(row) for row in rows)


if TYPE_CHECKING:
    from lamina.ports.corroborations import Corroborations

    _: type[Corroborations] = DuckDBCorroborations
