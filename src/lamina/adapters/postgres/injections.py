"""What went into prompts, in Postgres."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.statements import Statement, insertion
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.injected import Injected, injected
from lamina.domain.provenance_row import injected_from, injected_row


@dataclass(frozen=True, slots=True)
class InjectionStatements:
    """What is asked of the injections table."""

    add: Statement
    of_session: Statement

    @classmethod
    def of(cls, tables: Tables) -> InjectionStatements:
        """The statements of one spec."""
        table = tables["injections"]
        this = (table.c.anchor_id == bindparam("anchor_id"), table.c.session_id == bindparam("session_id"))
        oldest_first = select(table).where(*this).order_by(table.c.injected_at, table.c.memory_id)
        return cls(
            add=Statement.of(insertion(table).on_conflict_do_nothing()),
            of_session=Statement.of(oldest_first),
        )


class PostgresInjections:
    """What the sessions of one anchor were shown, in one transaction."""

    def __init__(self, transaction: Transaction, statements: InjectionStatements) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, session_id: SessionId, ids: Iterable[MemoryId], at: datetime) -> None:
        """Notes that these were shown then, all or none; what is noted already stays as it is."""
        given = injected(session_id, ids, at)
        rows = [injected_row(self._transaction.anchor.id, one) for one in given]
        self._transaction.each(
            [(self._statements.add, row) for row in rows], lambda: About([one.memory_id for one in given])
        )

    def of(self, session_id: SessionId) -> list[Injected]:
        """What a session was shown, oldest first, then by id."""
        found = self._transaction.rows(self._statements.of_session, {"session_id": session_id})
        return [injected_from(row) for row in found]


if TYPE_CHECKING:
    from lamina.ports.injections import Injections

    _: type[Injections] = PostgresInjections
