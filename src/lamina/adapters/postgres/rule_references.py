"""References to canonical rules in Postgres (D6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import any_, bindparam, select
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.selecting import is_mine
from lamina.adapters.postgres.statements import Statement, insertion
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.errors import UnknownRule
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import references_by_record
from lamina.domain.references import RuleRef


@dataclass(frozen=True, slots=True)
class RuleReferenceStatements:
    """What is asked of the references table."""

    add: Statement
    of_records: Statement

    @classmethod
    def of(cls, tables: Tables) -> RuleReferenceStatements | None:
        """The statements of one spec; none if it names no canonical table."""
        if tables.names.canonical is None:
            return None
        refs = tables["rule_refs"]
        these = (is_mine(refs), refs.c.memory_id == any_(bindparam("ids", type_=ARRAY(UUID))))
        return cls(
            add=Statement.of(insertion(refs, without=["created_at"]).on_conflict_do_nothing()),
            of_records=Statement.of(select(refs.c.memory_id, refs.c.rule_id, refs.c.rule_version).where(*these)),
        )


class PostgresRuleReferences:
    """The references of one anchor's records, in one transaction."""

    def __init__(self, transaction: Transaction, statements: RuleReferenceStatements | None) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, memory_id: MemoryId, rules: Sequence[RuleRef]) -> None:
        """Refers to these rules; one that is referred to already stays so."""
        if self._statements is None:
            raise UnknownRule("rules", "have no table", "name a canonical table in the spec's persistence")
        keys = dict(self._transaction.anchor.parts)
        about = About([memory_id], rules=[f"{rule.rule_id} version {rule.version}" for rule in rules])
        refs = [{"memory_id": memory_id, "rule_id": rule.rule_id, "rule_version": rule.version} for rule in rules]
        self._transaction.each([(self._statements.add, keys | ref) for ref in refs], lambda: about)

    def of(self, memory_id: MemoryId) -> frozenset[RuleRef]:
        """The rules that a record refers to."""
        return self.of_any([memory_id]).get(memory_id, frozenset())

    def of_any(self, ids: Iterable[MemoryId]) -> dict[MemoryId, frozenset[RuleRef]]:
        """The rules that each record refers to, for each that refers to any."""
        if self._statements is None:
            return {}
        return references_by_record(self._transaction.rows(self._statements.of_records, {"ids": list(ids)}))


if TYPE_CHECKING:
    from lamina.ports.rule_references import RuleReferences

    _: type[RuleReferences] = PostgresRuleReferences
