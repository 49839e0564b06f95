"""One transaction on one anchor: every repository, on the same cursor."""

from __future__ import annotations

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
    """One transaction on one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self.rules = DuckDBRules(transaction)
        self.records = DuckDBRecords(transaction, self.rules)
        self.rule_references = DuckDBRuleReferences(transaction)
        self.corroborations = DuckDBCorroborations(transaction)
        self.contradictions = DuckDBContradictions(transaction)
        self.action_links = DuckDBActionLinks(transaction)
        self.decisions = DuckDBDecisions(transaction)
        self.candidates = DuckDBCandidates(transaction)
        self.scope_cleanup = DuckDBScopeCleanUp(transaction)
        self.reviews = DuckDBReviews(self.records, self.corroborations, self.rule_references, self.scope_cleanup)
        self.injections = DuckDBInjections(transaction)


if TYPE_CHECKING:
    from lamina.ports.unit_of_work import UnitOfWork

    _: type[UnitOfWork] = DuckDBUnit
