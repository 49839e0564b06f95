"""The decision log in Postgres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import any_, bindparam, cast, func, select
from sqlalchemy.dialects.postgresql import ARRAY, UUID, aggregate_order_by, array

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import Batch, RowWriter, write
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.provenance_row import decision_from, decision_row, touched_rows


@dataclass(frozen=True, slots=True)
class DecisionStatements:
    """What is asked of the decision tables."""

    decisions: RowWriter
    records: RowWriter
    one: Statement
    about: Statement
    touched: Statement

    @classmethod
    def of(cls, tables: Tables) -> DecisionStatements:
        """The statements of one spec."""
        decisions, touched, all_touched = (
            tables["decisions"],
            tables["decision_records"],
            tables["decision_records"].alias(),
        )
        empty = cast(array([]), ARRAY(UUID))
        in_order = aggregate_order_by(all_touched.c.memory_id, all_touched.c.position)
        ids = select(func.array_agg(in_order)).where(
            all_touched.c.anchor_id == decisions.c.anchor_id, all_touched.c.decision_id == decisions.c.id
        )
        whole = select(*readable(decisions), func.coalesce(ids.scalar_subquery(), empty).label("ids"))
        these = (
            touched.c.anchor_id == bindparam("anchor_id"),
            touched.c.memory_id == any_(bindparam("ids", type_=ARRAY(UUID))),
        )
        touching = select(touched.c.decision_id).where(*these)
        about = whole.where(decisions.c.anchor_id == bindparam("anchor_id"), decisions.c.id.in_(touching)).order_by(
            decisions.c.decided_at, decisions.c.id
        )
        one = whole.where(decisions.c.anchor_id == bindparam("anchor_id"), decisions.c.id == bindparam("id"))
        by_verb = (
            select(touched.c.memory_id)
            .distinct()
            .join(decisions, (touched.c.anchor_id == decisions.c.anchor_id) & (touched.c.decision_id == decisions.c.id))
            .where(*these, decisions.c.verb == bindparam("verb"))
        )
        return cls(
            RowWriter.of(decisions),
            RowWriter.of(touched),
            Statement.of(one),
            Statement.of(about),
            Statement.of(by_verb),
        )


class PostgresDecisions:
    """The decisions about one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: DecisionStatements) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, entries: Sequence[DecisionEntry]) -> None:
        """Writes new ones, all or none."""
        anchor_id = self._transaction.anchor.id
        decisions = (decision_row(anchor_id, entry) for entry in entries)
        touched = (row for entry in entries for row in touched_rows(anchor_id, entry))
        batches: list[Batch] = [(self._statements.decisions, decisions), (self._statements.records, touched)]
        write(self._transaction, batches, len(entries), lambda: About([entry.id for entry in entries]))

    def get(self, decision_id: DecisionId) -> DecisionEntry | None:
        """One of them, if it is there."""
        rows = self._transaction.rows(self._statements.one, {"id": decision_id})
        return decision_from(rows[0]) if rows else None

    def about(self, memory_id: MemoryId) -> list[DecisionEntry]:
        """Those that touched one record, oldest first."""
        return self.about_any([memory_id])

    def about_any(self, ids: Iterable[MemoryId]) -> list[DecisionEntry]:
        """Those that touched any of the records, each once, oldest first."""
        return [decision_from(row) for row in self._transaction.rows(self._statements.about, {"ids": list(ids)})]

    def touched_by(self, verb: str, ids: Iterable[MemoryId]) -> set[MemoryId]:
        """Those of the records that a decision of this verb has touched."""
        rows = self._transaction.rows(self._statements.touched, {"ids": list(ids), "verb": verb})
        return {row["memory_id"] for row in rows}


if TYPE_CHECKING:
    from lamina.ports.decisions import Decisions

    _: type[Decisions] = PostgresDecisions
