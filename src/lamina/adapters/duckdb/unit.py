"""One transaction on one anchor: every repository, on the same cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

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

T = TypeVar("T")


class made_once(Generic[T]):  # noqa: N801 (it is written like the `cached_property` that it stands for)
    """What is worked out when first asked, by one thread: the lock that `cached_property` takes in Python 3.11 costs
    more than most of what a unit asks of numpy."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make

    def __get__(self, unit: object, _: type[object]) -> T:
        made = vars(unit)[self._make.__name__] = self._make(unit)
        return made


class DuckDBUnit:
    """One transaction on one anchor. Most units ask one or two of its repositories: each is made when first asked."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    @made_once
    def rules(self) -> DuckDBRules:
        return DuckDBRules(self._transaction)

    @made_once
    def records(self) -> DuckDBRecords:
        return DuckDBRecords(self._transaction, self.rules)

    @made_once
    def rule_references(self) -> DuckDBRuleReferences:
        return DuckDBRuleReferences(self._transaction)

    @made_once
    def corroborations(self) -> DuckDBCorroborations:
        return DuckDBCorroborations(self._transaction)

    @made_once
    def contradictions(self) -> DuckDBContradictions:
        return DuckDBContradictions(self._transaction)

    @made_once
    def action_links(self) -> DuckDBActionLinks:
        return DuckDBActionLinks(self._transaction)

    @made_once
    def decisions(self) -> DuckDBDecisions:
        return DuckDBDecisions(self._transaction)

    @made_once
    def candidates(self) -> DuckDBCandidates:
        return DuckDBCandidates(self._transaction)

    @made_once
    def scope_cleanup(self) -> DuckDBScopeCleanUp:
        return DuckDBScopeCleanUp(self._transaction)

    @made_once
    def reviews(self) -> DuckDBReviews:
        return DuckDBReviews(self.records, self.corroborations, self.rule_references, self.scope_cleanup)

    @made_once
    def injections(self) -> DuckDBInjections:
        return DuckDBInjections(self._transaction)


if TYPE_CHECKING:
    from lamina.ports.unit_of_work import UnitOfWork

    _: type[UnitOfWork] = DuckDBUnit
