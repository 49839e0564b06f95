"""Links from actions to what justified them, in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.statements import Statement, insertion
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import action_link_from, action_link_row
from lamina.domain.references import ActionLink


@dataclass(frozen=True, slots=True)
class ActionLinkStatements:
    """What is asked of the action links table."""

    add: Statement
    of_record: Statement
    behind: Statement

    @classmethod
    def of(cls, tables: Tables) -> ActionLinkStatements:
        """The statements of one spec."""
        table = tables["action_links"]
        mine = select(table).where(table.c.anchor_id == bindparam("anchor_id"))
        of_record = mine.where(table.c.memory_id == bindparam("memory_id"))
        action = (table.c.kind == bindparam("kind"), table.c.ref == bindparam("ref"))
        return cls(
            add=Statement.of(insertion(table).on_conflict_do_nothing()),
            of_record=Statement.of(of_record.order_by(table.c.linked_at, table.c.kind, table.c.ref)),
            behind=Statement.of(mine.where(*action).order_by(table.c.memory_id)),
        )


class PostgresActionLinks:
    """The action links of one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: ActionLinkStatements) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, links: Sequence[ActionLink]) -> None:
        """Links records to actions, all or none; one that is linked to that action already stays as it was."""
        rows = [action_link_row(self._transaction.anchor.id, link) for link in links]
        about = About(sorted({str(link.memory_id) for link in links}))
        self._transaction.each([(self._statements.add, row) for row in rows], lambda: about)

    def of(self, memory_id: MemoryId) -> list[ActionLink]:
        """The actions that a record justified, oldest first."""
        found = self._transaction.rows(self._statements.of_record, {"memory_id": memory_id})
        return [action_link_from(row) for row in found]

    def behind(self, kind: str, ref: str) -> list[ActionLink]:
        """What justified one action, by the ids of the records."""
        found = self._transaction.rows(self._statements.behind, {"kind": kind, "ref": ref})
        return [action_link_from(row) for row in found]


if TYPE_CHECKING:
    from lamina.ports.action_links import ActionLinks

    _: type[ActionLinks] = PostgresActionLinks
