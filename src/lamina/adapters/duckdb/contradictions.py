"""Contradictions in DuckDB, each with every step of its history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.contradiction import Contradiction, ContradictionStatus, by_side
from lamina.domain.errors import StoreError, UnknownRule
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.provenance_row import contradiction_from, contradiction_row, step_rows
from lamina.domain.references import RuleRef
from lamina.ports.contradictions import check_step


class DuckDBContradictions:
    """The contradictions of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        names = transaction.names
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._kept, self._canonical = names.contradictions, names.canonical
        self._table, self._history = names.table("rule_contradictions"), names.table("contradiction_history")

    def add(self, contradictions: Sequence[Contradiction]) -> None:
        """Writes new ones, all or none."""
        self._check_kept()
        for one in contradictions:
            self._check_rule(one)
        rows = (contradiction_row(self._anchor.id, one) for one in contradictions)
        self._statements.insert(self._table, rows, dict(self._anchor.parts))
        steps = [row for one in contradictions for row in step_rows(self._anchor.id, one)]
        self._statements.insert(self._history, steps)

    def move(self, one: Contradiction) -> None:
        """Writes the last step of its history, if the stored history is all but that."""
        self._check_kept()
        check_step(one, self.get(one.id))
        self._statements.run(
            f"UPDATE {self._table} SET status = ? WHERE anchor_id = ? AND id = ?",
            [one.status.value, self._anchor.id, one.id],
        )
        self._statements.insert(self._history, step_rows(self._anchor.id, one)[-1:])

    def get(self, contradiction_id: ContradictionId) -> Contradiction | None:
        """One of them, if it is there."""
        return next(iter(self._select("id = ?", [contradiction_id])), None)

    def of(self, memory_id: MemoryId) -> list[Contradiction]:
        """Those that a record is a side of, by when they were observed, then by id."""
        return self._select("(memory_id = ? OR other_memory_id = ?)", [memory_id, memory_id])

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Contradiction]]:
        """Those that each record is a side of, if it is of any."""
        wanted, marks = list(dict.fromkeys(ids)), ", ".join("?" for _ in dict.fromkeys(ids))
        if not wanted:
            return {}
        found = by_side(self._select(f"(memory_id IN ({marks}) OR other_memory_id IN ({marks}))", [*wanted, *wanted]))
        return {id_: found[id_] for id_ in wanted if id_ in found}

    def with_status(self, status: ContradictionStatus, limit: int) -> list[Contradiction]:
        """Those that have come so far, by when they were observed, then by id."""
        return self._select("status = ?", [status.value], limit)

    def _select(self, condition: str, parameters: Sequence[Any], limit: int | None = None) -> list[Contradiction]:
        if not self._kept:
            return []
        rows = self._statements.rows(
            f"SELECT id, memory_id, rule_id, rule_version, other_memory_id, world_version FROM {self._table}"
            f" WHERE anchor_id = ? AND {condition} ORDER BY observed_at, id LIMIT ?",
            [self._anchor.id, *parameters, limit],
        )
        steps = self._steps([row["id"] for row in rows])
        return [contradiction_from(row, steps[row["id"]]) for row in rows]

    def _steps(self, ids: Sequence[ContradictionId]) -> dict[ContradictionId, list[dict[str, Any]]]:
        rows = self._statements.rows(
            f"SELECT contradiction_id, status, {instants(['changed_at'])}, notes FROM {self._history}"
            f" WHERE anchor_id = ? AND contradiction_id IN (SELECT unnest(?::UUID[])) ORDER BY position",
            [self._anchor.id, list(ids)],
        )
        steps = defaultdict(list)
        for row in rows:
            steps[row["contradiction_id"]].append(row)
        return steps

    def _check_kept(self) -> None:
        if not self._kept:
            raise StoreError("contradictions", "are not kept by this spec", "say so in its persistence if they should")

    def _check_rule(self, one: Contradiction) -> None:
        if isinstance(one.against, RuleRef) and self._canonical is None:
            raise UnknownRule(f"contradiction {one.id}", "is against a rule", "this spec names no canonical table")


if TYPE_CHECKING:
    from lamina.ports.contradictions import Contradictions

    _: type[Contradictions] = DuckDBContradictions
