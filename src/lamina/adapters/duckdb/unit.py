"""One transaction on one anchor: every repository, on the same cursor."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.action_links import DuckDBActionLinks
from lamina.adapters.duckdb.candidates import DuckDBCandidates
from lamina.adapters.duckdb.canonical_rules import DuckDBRules
from lamina.adapters.duckdb.contradictions import DuckDBContradictions
from lamina.adapters.duckdb.corroborations import DuckDBCorroborations
from lamina.adapters.duckdb.decisions import DuckDBDecisions
from lamina.adapters.duckdb.injections import DuckDBInjections
from lamina.adapters.duckdb.records import DuckDBRecords
from lamina.adapters.duckdb.reviews import DuckDBReviews
from lamina.adapters.duckdb.rule_references import DuckDBRuleReferences
from lamina.adapters.duckdb.scope_cleanup import DuckDBScopeCleanUp
from lamina.adapters.duckdb.transaction import Transaction


class DuckDBUnit:
    """One transaction on one anchor. Most units ask one or two of its repositories: each is made when first asked."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    @cached_property
    def rules(self) -> DuckDBRules:
        return DuckDBRules(self._transaction)

    @cached_property
    def records(self) -> DuckDBRecords:
        return DuckDBRecords(self._transaction, self.rules)

    @cached_property
    def rule_references(self) -> DuckDBRuleReferences:
        return DuckDBRuleReferences(self._transaction)

    @cached_property
    def corroborations(self) -> DuckDBCorroborations:
        return DuckDBCorroborations(self._transaction)

    @cached_property
    def contradictions(self) -> DuckDBContradictions:
        return DuckDBContradictions(self._transaction)

    @cached_property
    def action_links(self) -> DuckDBActionLinks:
        return DuckDBActionLinks(self._transaction)

    @cached_property
    def decisions(self) -> DuckDBDecisions:
        return DuckDBDecisions(self._transaction)

    @cached_property
    def candidates(self) -> DuckDBCandidates:
        return DuckDBCandidates(self._transaction)

    @cached_property
    def scope_cleanup(self) -> DuckDBScopeCleanUp:
        return DuckDBScopeCleanUp(self._transaction)

    @cached_property
    def reviews(self) -> DuckDBReviews:
        return DuckDBReviews(self.records, self.corroborations, self.rule_references, self.scope_cleanup)

    @cached_property
    def injections(self) -> DuckDBInjections:
        return DuckDBInjections(self._transaction)


if TYPE_CHECKING:
    from lamina.ports.unit_of_work import UnitOfWork

    _: type[UnitOfWork] = DuckDBUnit
