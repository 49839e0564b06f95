"""Scope clean-up in DuckDB: what a record is found by in one unit, the record itself in a later one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.shelving import LIVE
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.corroboration import SourceType
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import Pointer, Standing
from lamina.domain.tier import Tier
from lamina.ports.scope_cleanup import check_removable


class DuckDBScopeCleanUp:
    """The transient records of one anchor that may go."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._statements = transaction.statements
        self._names = transaction.names
        self._anchor_id = transaction.anchor.id
        self._memory = transaction.names.table("memory")

    def contents(self, scope: InteractionScope | SessionScope) -> list[Standing]:
        """The transient records of a scope, a session's interactions included, in the order of their ids."""
        if isinstance(scope, InteractionScope):
            return self._standings("session_id = ? AND interaction_id = ?", [scope.session_id, scope.interaction_id])
        return self._standings("session_id = ?", [scope.session_id])

    def standings(self, ids: Iterable[MemoryId]) -> list[Standing]:
        """Of these records, those that are there, in the order of their ids."""
        wanted = list(ids)
        return self._standings("id IN (SELECT unnest(?::UUID[]))", [wanted]) if wanted else []

    def abandoned(self, before: datetime, after: SessionId | None, limit: int) -> list[SessionScope]:
        """Sessions that have live transient records, none of which was recorded since."""
        rows = self._statements.rows(
            f"SELECT session_id FROM {self._memory} WHERE anchor_id = ? AND session_id IS NOT NULL"
            f" AND (?::UUID IS NULL OR session_id > ?)"
            f" GROUP BY session_id HAVING max(recorded_at) < ? AND bool_or({LIVE}) ORDER BY session_id LIMIT ?",
            [self._anchor_id, after, after, before, limit],
        )
        return [SessionScope(self._transaction.anchor, row["session_id"]) for row in rows]

    def detach(self, ids: Sequence[MemoryId]) -> None:
        """Takes away what the records are found by, and their references to rules."""
        there = self._removable(ids)
        tables = ["embeddings", "documents", *(["rule_refs"] if self._names.canonical else [])]
        for table in tables if there else ():
            self._delete(self._names.table(table), "memory_id", there)
        shelf = self._transaction.held.shelves.loaded(self._anchor_id)
        if shelf:
            shelf.remove(there)

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """Takes away the records. A foreign key refuses one that was not detached before."""
        there = self._removable(ids)
        if there:
            self._delete(self._memory, "id", there)
            self._transaction.held_records.let_go(there)

    def _removable(self, ids: Sequence[MemoryId]) -> list[MemoryId]:
        standings = self.standings(ids)
        check_removable(standings)
        return [one.id for one in standings]

    def _delete(self, table: str, column: str, ids: Sequence[MemoryId]) -> None:
        self._statements.run(
            f"DELETE FROM {table} WHERE anchor_id = ? AND {column} IN (SELECT unnest(?::UUID[]))",
            [self._anchor_id, list(ids)],
        )

    def _standings(self, condition: str, parameters: Sequence[Any]) -> list[Standing]:
        tests = self._pointer_tests()
        pointing = ", ".join(f"{test} AS {pointer.name}" for pointer, test in tests.items())
        rows = self._statements.rows(
            f"SELECT id, tier, {pointing} FROM {self._memory} m WHERE anchor_id = ? AND {condition} ORDER BY id",
            [self._anchor_id, *parameters],
        )
        leading = self._leading_on_to([row["id"] for row in rows])
        return [
            Standing(
                row["id"],
                Tier(row["tier"]),
                frozenset(pointer for pointer in tests if row[pointer.name]),
                frozenset(leading[row["id"]]),
            )
            for row in rows
        ]

    def _pointer_tests(self) -> dict[Pointer, str]:
        """For each thing that can point at a record, the test for it; only of what the spec keeps."""
        tests = {Pointer.ACTION: self._exists("action_links", "memory_id = m.id")}
        if self._names.corroborations:
            seen = f"source_ref = m.id AND source_type = '{SourceType.OBSERVATION_EVENT}'"
            tests[Pointer.CORROBORATION] = self._exists("corroborations", "memory_id = m.id")
            tests[Pointer.EVIDENCE] = self._exists("corroborations", seen)
        if self._names.contradictions:
            sides = "(memory_id = m.id OR other_memory_id = m.id)"
            tests[Pointer.CONTRADICTION] = self._exists("rule_contradictions", sides)
        return tests

    def _exists(self, table: str, condition: str) -> str:
        return f"EXISTS (SELECT 1 FROM {self._names.table(table)} WHERE anchor_id = m.anchor_id AND {condition})"

    def _leading_on_to(self, ids: Sequence[MemoryId]) -> dict[MemoryId, set[MemoryId]]:
        """For each record, those that were superseded by it, invalidated by it, or promoted into it."""
        leading: dict[MemoryId, set[MemoryId]] = defaultdict(set)
        if not ids:
            return leading
        rows = self._statements.rows(
            f"SELECT earlier, later FROM (SELECT id AS earlier, unnest([superseded_by, promoted_into]) AS later"
            f" FROM {self._memory} WHERE anchor_id = ? AND coalesce(superseded_by, promoted_into) IS NOT NULL)"
            f" WHERE later IN (SELECT unnest(?::UUID[]))",
            [self._anchor_id, list(ids)],
        )
        for row in rows:
            leading[row["later"]].add(row["earlier"])
        return leading


if TYPE_CHECKING:
    from lamina.ports.scope_cleanup import ScopeCleanUp

    _: type[ScopeCleanUp] = DuckDBScopeCleanUp
