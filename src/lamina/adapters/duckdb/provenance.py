"""Corroborations, rule references and decisions in DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import StoreError, UnknownRule
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import (
    corroboration_from,
    corroboration_row,
    decision_from,
    decision_row,
    touched_rows,
)
from lamina.domain.references import RuleRef


class DuckDBCorroborations:
    """The corroborations of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table = transaction.names.table("corroborations") if transaction.names.corroborations else None

    def add(self, corroborations: Sequence[Corroboration]) -> None:
        """Writes new ones, all or none."""
        if self._table is None:
            raise StoreError("corroborations", "are not kept by this spec", "say so in its persistence if they should")
        self._statements.insert(self._table, [corroboration_row(self._anchor.id, one) for one in corroborations])

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        if self._table is None:
            return []
        rows = self._statements.rows(
            f"SELECT id, memory_id, source_type, source_ref, {instants(['corroborated_at'])}, session_id, outcome,"
            f" notes FROM {self._table} WHERE anchor_id = ? AND memory_id = ? ORDER BY corroborated_at, id",
            [self._anchor.id, memory_id],
        )
        return [corroboration_from(row) for row in rows]


class DuckDBRuleReferences:
    """The references of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table = transaction.names.table("rule_refs") if transaction.names.canonical else None

    def add(self, memory_id: MemoryId, rules: Sequence[RuleRef]) -> None:
        """Refers to these rules; one that is referred to already stays so."""
        if self._table is None:
            raise UnknownRule(f"record {memory_id}", "refers to a rule", "this spec names no canonical table")
        keys = {"anchor_id": self._anchor.id, "memory_id": memory_id, **dict(self._anchor.parts)}
        new = [ref for ref in dict.fromkeys(rules) if ref not in self.of(memory_id)]
        self._statements.insert(
            self._table, [keys | {"rule_id": ref.rule_id, "rule_version": ref.version} for ref in new]
        )

    def of(self, memory_id: MemoryId) -> frozenset[RuleRef]:
        """The rules that a record refers to."""
        if self._table is None:
            return frozenset()
        rows = self._statements.rows(
            f"SELECT rule_id, rule_version FROM {self._table} WHERE anchor_id = ? AND memory_id = ?",
            [self._anchor.id, memory_id],
        )
        return frozenset(RuleRef(row["rule_id"], row["rule_version"]) for row in rows)


class DuckDBDecisions:
    """The decisions of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table, self._touched = transaction.names.table("decisions"), transaction.names.table("decision_records")

    def add(self, entries: Sequence[DecisionEntry]) -> None:
        """Writes new ones, all or none."""
        self._statements.insert(self._table, [decision_row(self._anchor.id, entry) for entry in entries])
        self._statements.insert(
            self._touched, [row for entry in entries for row in touched_rows(self._anchor.id, entry)]
        )

    def about(self, memory_id: MemoryId) -> list[DecisionEntry]:
        """Those that touched one record, oldest first."""
        rows = self._statements.rows(
            f"SELECT d.id, d.verb, {instants(['decided_at'], 'd.')}, d.decision, d.reason, d.rule,"
            f" list(t.memory_id ORDER BY t.position) AS ids"
            f" FROM {self._table} d JOIN {self._touched} t ON t.anchor_id = d.anchor_id AND t.decision_id = d.id"
            f" WHERE d.anchor_id = ? AND d.id IN"
            f" (SELECT decision_id FROM {self._touched} WHERE anchor_id = ? AND memory_id = ?)"
            f" GROUP BY ALL ORDER BY decided_at_us, d.id",
            [self._anchor.id, self._anchor.id, memory_id],
        )
        return [decision_from(row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.corroborations import Corroborations
    from lamina.ports.decisions import Decisions
    from lamina.ports.rule_references import RuleReferences

    _corroborations: type[Corroborations] = DuckDBCorroborations
    _references: type[RuleReferences] = DuckDBRuleReferences
    _decisions: type[Decisions] = DuckDBDecisions
