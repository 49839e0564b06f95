"""What went into prompts, in DuckDB."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.injected import Injected, injected
from lamina.domain.provenance_row import injected_from, injected_row


class DuckDBInjections:
    """What the sessions of one anchor were shown."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._anchor = transaction.anchor
        self._table = transaction.names.table("injections")

    def add(self, session_id: SessionId, ids: Iterable[MemoryId], at: datetime) -> None:
        """Notes that these were shown then, all or none; what is noted already stays as it is."""
        given = injected(session_id, ids, at)
        noted = set(self._select("session_id = ? AND injected_at = ?", session_id, at)) if given else set()
        self._statements.insert(self._table, [injected_row(self._anchor.id, one) for one in given if one not in noted])

    def of(self, session_id: SessionId) -> list[Injected]:
        """What a session was shown, oldest first, then by id."""
        return self._select("session_id = ? ORDER BY injected_at, memory_id", session_id)

    def _select(self, condition: str, *parameters: object) -> list[Injected]:
        rows = self._statements.rows(
            f"SELECT session_id, memory_id, {instants(['injected_at'])} FROM {self._table}"
            f" WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [injected_from(row) for row in rows]


if TYPE_CHECKING:
    from lamina.ports.injections import Injections

    _: type[Injections] = DuckDBInjections
