"""Taking away what a scope leaves behind, in Postgres. The database refuses by itself what must stay (D10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from psycopg.rows import DictRow
from sqlalchemy import Integer, Select, Table, any_, bindparam, delete, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.selecting import is_live, is_mine
from lamina.adapters.postgres.standings import is_in_scope, standings
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import Pointer, Standing
from lamina.domain.tier import Tier
from lamina.ports.scope_cleanup import check_removable


@dataclass(frozen=True, slots=True)
class CleanUpStatements:
    """What is asked when a scope has ended."""

    contents: Statement
    standings: Statement
    abandoned: Statement
    detach: tuple[Statement, ...]
    remove: Statement

    @classmethod
    def of(cls, tables: Tables) -> CleanUpStatements:
        """The statements of one spec."""
        memory = tables["memory"]
        found_by = ["embeddings", "documents"] + (["rule_refs"] if tables.names.canonical else [])
        return cls(
            contents=Statement.of(standings(tables).where(is_in_scope(memory)).order_by(memory.c.id)),
            standings=Statement.of(standings(tables).where(memory.c.id == any_(_IDS)).order_by(memory.c.id)),
            abandoned=Statement.of(_abandoned(memory)),
            detach=tuple(_taken_from(tables, name, "memory_id") for name in found_by),
            remove=_taken_from(tables, "memory", "id"),
        )


_IDS = bindparam("ids", type_=ARRAY(UUID))


def _abandoned(memory: Table) -> Select[Any]:
    session, after = memory.c.session_id, bindparam("after", type_=UUID)
    return (
        select(session)
        .where(is_mine(memory), session.is_not(None), or_(after.is_(None), session > after))
        .group_by(session)
        .having(
            func.max(memory.c.recorded_at) < bindparam("before", type_=TIMESTAMP(timezone=True)),
            func.bool_or(is_live(memory)),
        )
        .order_by(session)
        .limit(bindparam("most", type_=Integer))
    )


def _taken_from(tables: Tables, name: str, column: str) -> Statement:
    table = tables[name]
    return Statement.of(delete(table).where(table.c.anchor_id == bindparam("anchor_id"), table.c[column] == any_(_IDS)))


class PostgresScopeCleanUp:
    """Removes one anchor's transient records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: CleanUpStatements) -> None:
        self._transaction = transaction
        self._statements = statements

    def contents(self, scope: InteractionScope | SessionScope) -> list[Standing]:
        """The transient records of a scope, a session's interactions included, in the order of their ids."""
        interaction = scope.interaction_id if isinstance(scope, InteractionScope) else None
        asked = {"session_id": scope.session_id, "interaction_id": interaction}
        return [_read(row) for row in self._transaction.rows(self._statements.contents, asked)]

    def standings(self, ids: Iterable[MemoryId]) -> list[Standing]:
        """Of these records, those that are there, in the order of their ids."""
        wanted = {"ids": list(ids)}
        return [_read(row) for row in self._transaction.rows(self._statements.standings, wanted)]

    def abandoned(self, before: datetime, after: SessionId | None, limit: int) -> list[SessionScope]:
        """Sessions that have live transient records, none of which was recorded since."""
        asked = {"before": before, "after": after, "most": limit}
        rows = self._transaction.rows(self._statements.abandoned, asked)
        return [SessionScope(self._transaction.anchor, row["session_id"]) for row in rows]

    def detach(self, ids: Sequence[MemoryId]) -> None:
        """First: takes away what the records are found by, and their references to rules."""
        self._take(ids, *self._statements.detach)

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """Then: takes away the records."""
        self._take(ids, self._statements.remove)

    def _take(self, ids: Sequence[MemoryId], *statements: Statement) -> None:
        if not ids:
            return
        asked: dict[str, Any] = {"ids": list(ids)}
        check_removable(self.standings(ids))
        about = About(ids, removes=True)
        self._transaction.each([(statement, asked) for statement in statements], lambda: about)


def _read(row: DictRow) -> Standing:
    pointers = frozenset(pointer for pointer in Pointer if row[pointer.name.lower()])
    return Standing(row["id"], Tier(row["tier"]), pointers, frozenset(row["followed_from"]))


if TYPE_CHECKING:
    from lamina.ports.scope_cleanup import ScopeCleanUp

    _: type[ScopeCleanUp] = PostgresScopeCleanUp
