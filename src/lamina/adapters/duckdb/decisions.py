"""Decisions in DuckDB."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.provenance_row import decision_from, decision_row, touched_rows


class DuckDBDecisions:
    """The decisions of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table, self._touched = transaction.names.table("decisions"), transaction.names.table("decision_records")

    def add(self, entries: Sequence[DecisionEntry]) -> None:
        """Writes new ones, all or none."""
        self._statements.insert(self._table, (decision_row(self._anchor.id, entry) for entry in entries))
        touched = (row for entry in entries for row in touched_rows(self._anchor.id, entry))
        self._statements.insert(self._touched, touched)

    def get(self, decision_id: DecisionId) -> DecisionEntry | None:
        """One of them, if it is there."""
        return next(iter(self._select("d.id = ?", [decision_id])), None)

    def about(self, memory_id: MemoryId) -> list[DecisionEntry]:
        """Those that touched one record, oldest first."""
        return self.about_any([memory_id])

    def about_any(self, ids: Iterable[MemoryId]) -> list[DecisionEntry]:
        """Those that touched any of the records, each once, oldest first."""
        touching = (
            f"SELECT decision_id FROM {self._touched} WHERE anchor_id = ? AND memory_id IN (SELECT unnest(?::UUID[]))"
        )
        wanted = list(ids)
        return self._select(f"d.id IN ({touching})", [self._anchor.id, wanted]) if wanted else []

    def touched_by(self, verb: str, ids: Iterable[MemoryId]) -> set[MemoryId]:
        """Those of the records that a decision of this verb has touched."""
        rows = self._statements.rows(
            f"SELECT DISTINCT t.memory_id FROM {self._touched} t JOIN {self._table} d ON d.anchor_id = t.anchor_id"
            f" AND d.id = t.decision_id WHERE t.anchor_id = ? AND t.memory_id IN (SELECT unnest(?::UUID[]))"
            f" AND d.verb = ?",
            [self._anchor.id, list(ids), verb],
        )
        return {row["memory_id"] for row in rows}

    def _select(self, condition: str, parameters: Sequence[Any]) -> list[DecisionEntry]:
        rows = self._statements.rows(
            f"SELECT d.id, d.verb, {instants(['decided_at'], 'd.')}, d.decision, d.reason, d.rule,"
            f" coalesce(list(t.memory_id ORDER BY t.position) FILTER (t.memory_id IS NOT NULL), []) AS ids"
            f" FROM {self._table} d LEFT JOIN {self._touched} t ON t.anchor_id = d.anchor_id AND t.decision_id = d.id"
            f" WHERE d.anchor_id = ? AND {condition} GROUP BY ALL ORDER BY any_value(d.decided_at), d.id",
            [self._anchor.id, *parameters],
        )
        return [decision_from(row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.decisions import Decisions

    _: type[Decisions] = DuckDBDecisions
