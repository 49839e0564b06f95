"""Persistent records page by page in Postgres. Several workers take at once: each skips what another has taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, Select, bindparam, literal_column, or_, select
from sqlalchemy.dialects.postgresql import UUID

from lamina.adapters.postgres.selecting import is_live, is_mine
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import MemoryId
from lamina.domain.record_row import from_row
from lamina.domain.upkeep import Reviewed, reviewed

if TYPE_CHECKING:
    from lamina.adapters.postgres.corroborations import PostgresCorroborations
    from lamina.adapters.postgres.rule_references import PostgresRuleReferences
    from lamina.adapters.postgres.scope_cleanup import PostgresScopeCleanUp


@dataclass(frozen=True, slots=True)
class ReviewStatements:
    """What is asked of the memory table, a page at a time."""

    page: Statement
    take: Statement

    @classmethod
    def of(cls, tables: Tables) -> ReviewStatements:
        """The statements of one spec."""
        memory = tables["memory"]
        after = bindparam("after", type_=UUID)
        mine: Select[Any] = (
            select(*readable(memory))
            .where(is_mine(memory), literal_column("'persistent'") == memory.c.tier)
            .where(or_(after.is_(None), memory.c.id > after))
            .order_by(memory.c.id)
            .limit(bindparam("most", type_=Integer))
        )
        undisposed = or_(memory.c.held_at.is_not(None), is_live(memory))
        return cls(Statement.of(mine), Statement.of(mine.where(undisposed).with_for_update(skip_locked=True)))


class PostgresReviews:
    """The persistent records of one anchor, each with all that is looked at, in one transaction."""

    def __init__(
        self,
        transaction: Transaction,
        statements: ReviewStatements,
        corroborations: PostgresCorroborations,
        references: PostgresRuleReferences,
        cleanup: PostgresScopeCleanUp,
    ) -> None:
        self._transaction = transaction
        self._statements = statements
        self._corroborations = corroborations
        self._references = references
        self._cleanup = cleanup

    def page(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Whatever has become of them."""
        return self._page(self._statements.page, after, limit)

    def take(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Only what is live or a candidate, and that nobody else has taken."""
        return self._page(self._statements.take, after, limit)

    def _page(self, statement: Statement, after: MemoryId | None, limit: int) -> list[Reviewed]:
        rows = self._transaction.rows(statement, {"after": after, "most": limit})
        records = [from_row(row, self._transaction.anchor) for row in rows]
        ids = [record.id for record in records]
        said, refs = self._corroborations.of_any(ids), self._references.of_any(ids)
        return reviewed(records, said, refs, self._cleanup.standings(ids))


if TYPE_CHECKING:
    from lamina.ports.reviews import Reviews

    _: type[Reviews] = PostgresReviews
