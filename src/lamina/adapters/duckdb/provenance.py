"""Corroborations, rule references and decisions in DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import UnknownRule
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef


class DuckDBCorroborations:
    """The corroborations of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table = transaction.names.table("corroborations")

    def add(self, corroborations: Sequence[Corroboration]) -> None:
        """Writes new ones, all or none."""
        self._statements.insert(self._table, [self._row(one) for one in corroborations])

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        rows = self._statements.rows(
            f"SELECT id, memory_id, source_type, source_ref, {instants(['corroborated_at'])}, session_id, outcome,"
            f" notes FROM {self._table} WHERE anchor_id = ? AND memory_id = ? ORDER BY corroborated_at, id",
            [self._anchor.id, memory_id],
        )
        return [_corroboration(row) for row in rows]

    def _row(self, one: Corroboration) -> dict[str, Any]:
        return {
            "anchor_id": self._anchor.id,
            "id": one.id,
            "memory_id": one.memory_id,
            "source_type": one.source_type.value,
            "source_ref": one.source_ref,
            "corroborated_at": one.corroborated_at,
            "session_id": one.session_id,
            "outcome": one.outcome.value,
            "notes": one.notes,
        }


def _corroboration(row: dict[str, Any]) -> Corroboration:
    parts = row | {"source_type": SourceType(row["source_type"]), "outcome": Finding(row["outcome"])}
    return Corroboration(**parts)


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
        self._statements.insert(self._table, [self._row(entry) for entry in entries])
        touched = [
            {"anchor_id": self._anchor.id, "decision_id": entry.id, "position": position, "memory_id": memory_id}
            for entry in entries
            for position, memory_id in enumerate(entry.outcome.ids)
        ]
        self._statements.insert(self._touched, touched)

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
        return [_entry(row) for row in rows]

    def _row(self, entry: DecisionEntry) -> dict[str, Any]:
        outcome = entry.outcome
        return {
            "anchor_id": self._anchor.id,
            "id": entry.id,
            "verb": entry.verb,
            "decided_at": entry.at,
            "decision": outcome.decision.value,
            "reason": outcome.reason,
            "rule": outcome.rule,
        }


def _entry(row: dict[str, Any]) -> DecisionEntry:
    outcome = Outcome(Decision(row["decision"]), tuple(row["ids"]), row["reason"], row["rule"])
    return DecisionEntry(row["id"], row["verb"], row["decided_at"], outcome)


if TYPE_CHECKING:
    from lamina.ports.corroborations import Corroborations
    from lamina.ports.decisions import Decisions
    from lamina.ports.rule_references import RuleReferences

    _corroborations: type[Corroborations] = DuckDBCorroborations
    _references: type[RuleReferences] = DuckDBRuleReferences
    _decisions: type[Decisions] = DuckDBDecisions
