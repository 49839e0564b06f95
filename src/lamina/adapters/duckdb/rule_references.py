"""References to rules in DuckDB."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.errors import UnknownRule
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import references_by_record
from lamina.domain.references import RuleRef


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
        there = self.of(memory_id)
        new = [ref for ref in dict.fromkeys(rules) if ref not in there]
        rows = [{"rule_id": ref.rule_id, "rule_version": ref.version} for ref in new]
        self._statements.insert(self._table, rows, keys)

    def of(self, memory_id: MemoryId) -> frozenset[RuleRef]:
        """The rules that a record refers to."""
        return self.of_any([memory_id]).get(memory_id, frozenset())

    def of_any(self, ids: Iterable[MemoryId]) -> dict[MemoryId, frozenset[RuleRef]]:
        """The rules that each record refers to, for each that refers to any."""
        if self._table is None:
            return {}
        rows = self._statements.rows(
            f"SELECT memory_id, rule_id, rule_version FROM {self._table}"
            f" WHERE anchor_id = ? AND memory_id IN (SELECT unnest(?::UUID[]))",
            [self._anchor.id, list(ids)],
        )
        return references_by_record(rows)


if TYPE_CHECKING:
    from lamina.ports.rule_references import RuleReferences

    _: type[RuleReferences] = DuckDBRuleReferences
