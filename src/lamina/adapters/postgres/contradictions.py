"""Contradictions in Postgres (D7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, any_, bindparam, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import RowWriter, write
from lamina.adapters.postgres.statements import Statement, insertion, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction, Values
from lamina.domain.contradiction import Contradiction, ContradictionStatus, by_side
from lamina.domain.errors import StaleRecord, StoreError, UnknownRule
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.provenance_row import contradiction_from, contradiction_row, step_rows
from lamina.domain.references import RuleRef
from lamina.ports.contradictions import check_step


@dataclass(frozen=True, slots=True)
class ContradictionStatements:
    """What is asked of the tables of contradictions and of their history."""

    rows: RowWriter
    steps: RowWriter
    get: Statement
    locked: Statement
    of_records: Statement
    with_status: Statement
    history: Statement
    step: Statement
    move: Statement
    knows_rules: bool

    @classmethod
    def of(cls, tables: Tables) -> ContradictionStatements | None:
        """The statements of one spec; none if it keeps no contradictions."""
        if not tables.names.contradictions:
            return None
        table, steps = tables["rule_contradictions"], tables["contradiction_history"]
        mine = select(*readable(table)).where(table.c.anchor_id == bindparam("anchor_id"))
        this = mine.where(table.c.id == bindparam("id"))
        these = any_(bindparam("ids", type_=ARRAY(UUID)))
        sides = or_(table.c.memory_id == these, table.c.other_memory_id == these)
        by_status = mine.where(table.c.status == bindparam("status", type_=table.c.status.type))
        of_these = steps.c.contradiction_id == any_(bindparam("ids", type_=ARRAY(UUID)))
        history = select(*readable(steps)).where(steps.c.anchor_id == bindparam("anchor_id"), of_these)
        in_order = (table.c.observed_at, table.c.id)
        return cls(
            rows=RowWriter.of(table),
            steps=RowWriter.of(steps),
            get=Statement.of(this),
            locked=Statement.of(this.with_for_update()),
            of_records=Statement.of(mine.where(sides).order_by(*in_order)),
            with_status=Statement.of(by_status.order_by(*in_order).limit(bindparam("limit", type_=Integer))),
            history=Statement.of(history.order_by(steps.c.contradiction_id, steps.c.position)),
            step=Statement.of(insertion(steps).on_conflict_do_nothing()),
            move=Statement.of(
                update(table)
                .where(table.c.anchor_id == bindparam("anchor_id"), table.c.id == bindparam("contradiction_id"))
                .values(status=bindparam("new_status", type_=table.c.status.type))
            ),
            knows_rules=tables.names.canonical is not None,
        )


class PostgresContradictions:
    """The contradictions of one anchor, in one transaction."""

    def __init__(self, transaction: Transaction, statements: ContradictionStatements | None) -> None:
        self._transaction = transaction
        self._anchor = transaction.anchor
        self._statements = statements

    def add(self, contradictions: Sequence[Contradiction]) -> None:
        """Writes new ones, all or none."""
        statements = self._writable()
        if not statements.knows_rules:
            _refuse_rules(contradictions)
        keys = dict(self._anchor.parts)
        rows = [keys | contradiction_row(self._anchor.id, one) for one in contradictions]
        steps = [step for one in contradictions for step in step_rows(self._anchor.id, one)]
        batches = [(statements.rows, rows), (statements.steps, steps)]
        write(self._transaction, batches, len(contradictions), lambda: _about(contradictions))

    def move(self, one: Contradiction) -> None:
        """Writes the last step of its history; whoever moves it at the same time waits, and finds it moved."""
        statements = self._writable()
        stored = self._read(lambda asked: asked.locked, {"id": one.id})
        check_step(one, stored[0] if stored else None)
        last = step_rows(self._anchor.id, one)[-1]
        if not self._transaction.count(statements.step, last):
            raise StaleRecord(
                f"contradiction {one.id}", "was moved just now", "read it again and decide on what it is now"
            )
        self._transaction.count(statements.move, {"contradiction_id": one.id, "new_status": last["status"]})

    def get(self, contradiction_id: ContradictionId) -> Contradiction | None:
        """One of them, if it is there."""
        found = self._read(lambda asked: asked.get, {"id": contradiction_id})
        return found[0] if found else None

    def of(self, memory_id: MemoryId) -> list[Contradiction]:
        """Those that a record is a side of, by when they were observed, then by id."""
        return self.of_any([memory_id]).get(memory_id, [])

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Contradiction]]:
        """Those that each record is a side of, if it is of any."""
        found = by_side(self._read(lambda asked: asked.of_records, {"ids": list(ids)})) if ids else {}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def with_status(self, status: ContradictionStatus, limit: int) -> list[Contradiction]:
        """Those that have come so far, by when they were observed, then by id."""
        return self._read(lambda asked: asked.with_status, {"status": status.value, "limit": limit})

    def _writable(self) -> ContradictionStatements:
        if self._statements is None:
            raise StoreError("contradictions", "are not kept by this spec", "say so in its persistence if they should")
        return self._statements

    def _read(self, choose: Callable[[ContradictionStatements], Statement], values: Values) -> list[Contradiction]:
        rows = self._transaction.rows(choose(self._statements), values) if self._statements else []
        if not rows or self._statements is None:
            return []
        steps: dict[Any, list[Any]] = defaultdict(list)
        for step in self._transaction.rows(self._statements.history, {"ids": [row["id"] for row in rows]}):
            steps[step["contradiction_id"]].append(step)
        return [contradiction_from(row, steps[row["id"]]) for row in rows]


def _refuse_rules(contradictions: Sequence[Contradiction]) -> None:
    for one in contradictions:
        if isinstance(one.against, RuleRef):
            raise UnknownRule(
                f"rule {one.against.rule_id}", "has no table", "name a canonical table in the spec's persistence"
            )


def _about(contradictions: Sequence[Contradiction]) -> About:
    sides = [one.against for one in contradictions]
    records = {str(one.memory_id) for one in contradictions} | {
        str(side) for side in sides if not isinstance(side, RuleRef)
    }
    rules = [f"{side.rule_id} version {side.version}" for side in sides if isinstance(side, RuleRef)]
    return About(sorted(records), rules=rules, ids=[one.id for one in contradictions])


if TYPE_CHECKING:
    from lamina.ports.contradictions import Contradictions

    _: type[Contradictions] = PostgresContradictions
