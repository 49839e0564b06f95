"""One transaction on one anchor."""

from __future__ import annotations

from typing import Protocol

from lamina.ports.action_links import ActionLinks
from lamina.ports.candidates import Candidates
from lamina.ports.canonical_rules import CanonicalRules
from lamina.ports.contradictions import Contradictions
from lamina.ports.corroborations import Corroborations
from lamina.ports.decisions import Decisions
from lamina.ports.injections import Injections
from lamina.ports.records import Records
from lamina.ports.reviews import Reviews
from lamina.ports.rule_references import RuleReferences
from lamina.ports.scope_cleanup import ScopeCleanUp


class UnitOfWork(Protocol):
    """What is written in it is there together or not at all; what it has written, it can read."""

    @property
    def records(self) -> Records: ...

    @property
    def rule_references(self) -> RuleReferences: ...

    @property
    def corroborations(self) -> Corroborations: ...

    @property
    def contradictions(self) -> Contradictions: ...

    @property
    def action_links(self) -> ActionLinks: ...

    @property
    def decisions(self) -> Decisions: ...

    @property
    def candidates(self) -> Candidates: ...

    @property
    def rules(self) -> CanonicalRules: ...

    @property
    def scope_cleanup(self) -> ScopeCleanUp: ...

    @property
    def reviews(self) -> Reviews: ...

    @property
    def injections(self) -> Injections: ...
