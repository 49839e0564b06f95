"""Action links in DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import action_link_from, action_link_row
from lamina.domain.references import ActionLink


class DuckDBActionLinks:
    """The action links of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table = transaction.names.table("action_links")

    def add(self, links: Sequence[ActionLink]) -> None:
        """Links records to actions, all or none; one that is linked already stays as it was linked."""
        first = {(link.kind, link.ref, link.memory_id): link for link in reversed(links)}
        actions = {(link.kind, link.ref) for link in links}
        linked = {action: {link.memory_id for link in self.behind(*action)} for action in actions}
        new = [link for link in first.values() if link.memory_id not in linked[link.kind, link.ref]]
        self._statements.insert(self._table, [action_link_row(self._anchor.id, link) for link in new])

    def of(self, memory_id: MemoryId) -> list[ActionLink]:
        """The actions that a record justified, oldest first."""
        return self._select("memory_id = ? ORDER BY linked_at, kind, ref", [memory_id])

    def behind(self, kind: str, ref: str) -> list[ActionLink]:
        """What justified one action, by the ids of the records."""
        return self._select("kind = ? AND ref = ? ORDER BY memory_id", [kind, ref])

    def _select(self, condition: str, parameters: Sequence[Any]) -> list[ActionLink]:
        rows = self._statements.rows(
            f"SELECT kind, ref, memory_id, {instants(['linked_at'])} FROM {self._table}"
            f" WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [action_link_from(row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.action_links import ActionLinks

    _: type[ActionLinks] = DuckDBActionLinks
