"""What a user holds of one anchor: every verb, and no tenant in any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from lamina.application import retire
from lamina.application.audit import Audit, audit
from lamina.application.contradict import contradict, move_contradiction
from lamina.application.corroborate import Source, Testimony, corroborate
from lamina.application.dream import Dreaming, Progress, dream_at
from lamina.application.event_verbs import EventVerbs
from lamina.application.history import Chapter, history
from lamina.application.hit import Hit
from lamina.application.inject import Block, inject
from lamina.application.link_action import link_action
from lamina.application.planning import planned
from lamina.application.prefer import Preference, prefer
from lamina.application.propose import Proposal, propose
from lamina.application.query import Query
from lamina.application.recall import recall_many
from lamina.application.recalling import Recalling
from lamina.application.resources import Resources
from lamina.application.session import Session
from lamina.application.shadowing import Compared, explain
from lamina.application.undo import undo
from lamina.application.world_agent import Asking, runner
from lamina.domain.anchor import Anchor
from lamina.domain.choices import choice
from lamina.domain.claim import Claim
from lamina.domain.contradiction import Contradiction, ContradictionStatus
from lamina.domain.corroboration import Finding
from lamina.domain.discipline import Reader
from lamina.domain.dreaming import Dreamt
from lamina.domain.errors import MissingKey
from lamina.domain.ids import ContradictionId, DecisionId, MemoryId, SessionId, checked_id
from lamina.domain.outcome import Outcome
from lamina.domain.references import RuleRef
from lamina.domain.sanitization.passage import SanitizationGate
from lamina.domain.scope import PersistentScope
from lamina.domain.text import checked_text
from lamina.ports.canonical_rules import Rule
from lamina.ports.world_agent_runner import WorldAgentRunner

ONE_DAY = timedelta(days=1)


class AnchoredMemory(Recalling, EventVerbs):
    """The memory of one anchor."""

    def __init__(self, resources: Resources, anchor: Anchor) -> None:
        self._resources = resources
        self.anchor = anchor

    def session(self, session_id: UUID | None = None) -> Session:
        """A sitting: what is observed and proposed in it belongs together."""
        return Session(
            self._resources,
            self.anchor,
            SessionId(checked_id(session_id, "session_id")) if session_id is not None else None,
        )

    def plan(self) -> AnchoredMemory:
        """The same memory, in which every verb says what it would decide, and does nothing."""
        return AnchoredMemory(planned(self._resources), self.anchor)

    def in_version(self, world_version: str) -> AnchoredMemory:
        """The same memory, in which everything is recorded under this version of the world model (D5)."""
        checked_text(world_version, "world_version", at_most=100)
        return AnchoredMemory(replace(self._resources, world_version=world_version), self.anchor)

    def _recalled(self, queries: Sequence[Query]) -> list[list[Hit]]:
        return recall_many(self._resources, self.anchor, queries)

    def inject(self, query: str, budget: int | None = None, *, session_id: UUID | None = None) -> Block:
        """Memory for a prompt: what answers the query, as quoted data, in at most so many tokens.

        Without a budget, as many as the spec gives its tiers. Name the session that the prompt is for, and what goes in
        is noted there; better still, ask the session itself, which shows its own memory too.
        """
        return inject(self._resources, PersistentScope(self.anchor), query, budget, _session(session_id))

    def propose(
        self,
        text: str,
        *,
        claim: Claim | None = None,
        because: Sequence[MemoryId] = (),
        at: datetime | None = None,
        rules: Sequence[RuleRef] = (),
    ) -> Outcome:
        """Proposes a fact with its evidence; the promotion criteria decide.

        `at` is since when it is so; `rules` are the canonical rules that it is about.
        """
        return propose(self._resources, PersistentScope(self.anchor), Proposal(text, claim, because, at, rules))

    def prefer(
        self, text: str, *, claim: Claim | None = None, confidence: float | None = None, at: datetime | None = None
    ) -> Outcome:
        """Writes how things are to be done: as stated, or with the confidence of whoever inferred it."""
        return prefer(self._resources, PersistentScope(self.anchor), Preference(text, claim, confidence, at))

    def corroborate(
        self, memory_id: MemoryId, source: Source, outcome: str = Finding.CONFIRMED, notes: str = ""
    ) -> Outcome:
        """A source confirms a record, or fails to."""
        finding = choice(Finding, outcome, "outcome")
        return corroborate(self._resources, self.anchor, memory_id, Testimony(source, finding, notes))

    def contradict(
        self, memory_id: MemoryId, *, rule: RuleRef | None = None, other: MemoryId | None = None, note: str
    ) -> Outcome:
        """Says that a record does not fit with a rule, or with another record. Nothing is retired by that."""
        against = rule or other
        if against is None or (rule and other):
            raise MissingKey("contradiction", "needs its other side", "give either rule=... or other=...")
        return contradict(self._resources, self.anchor, memory_id, against, note)

    def contradictions(self, status: str = ContradictionStatus.OPEN, limit: int = 100) -> list[Contradiction]:
        """Those that have come so far, oldest first, each with its history."""
        with self._resources.store.reading(self.anchor) as unit:
            return unit.contradictions.with_status(choice(ContradictionStatus, status, "contradiction status"), limit)

    def move_contradiction(self, contradiction_id: ContradictionId, status: str, note: str) -> Outcome:
        """Takes a contradiction one step on: dismissed, surfaced to an operator, promoted to a revision signal."""
        to = choice(ContradictionStatus, status, "contradiction status")
        return move_contradiction(self._resources, self.anchor, contradiction_id, to, note)

    def link_action(self, kind: str, ref: str, ids: Sequence[MemoryId]) -> Outcome:
        """Ties an action to the memories that justified it: from now on they stay."""
        return link_action(self._resources, self.anchor, kind, ref, ids)

    def archive(self, memory_id: MemoryId, *, reason: str) -> Outcome:
        """Recall no longer surfaces it; it stays readable."""
        return retire.archive(self._resources, self.anchor, memory_id, reason)

    def exempt(self, memory_id: MemoryId, *, reason: str) -> Outcome:
        """It stays as it is, and no longer presses for an outcome."""
        return retire.exempt(self._resources, self.anchor, memory_id, reason)

    def invalidate(self, memory_id: MemoryId, *, reason: str, since: datetime | None = None) -> Outcome:
        """It is no longer so, since then or as of now."""
        return retire.invalidate(self._resources, self.anchor, memory_id, reason, since)

    def supersede(self, memory_id: MemoryId, *, by: MemoryId) -> Outcome:
        """Another live record takes its place."""
        return retire.supersede(self._resources, self.anchor, memory_id, by)

    def erase(self, memory_id: MemoryId, *, reason: str) -> Outcome:
        """Blanks what a retired record says, if nothing points at it. The row and its trail stay."""
        return retire.erase(self._resources, self.anchor, memory_id, reason)

    def undo(self, decision_id: DecisionId, *, reason: str) -> Outcome:
        """Reverts one decision, if it is the last about each of its records; that is a decision too."""
        return undo(self._resources, self.anchor, decision_id, reason)

    def history(self, memory_id: MemoryId) -> list[Chapter]:
        """What became of a record, and why."""
        return history(self._resources, self.anchor, memory_id)

    def dream(self, *, abandoned_after: timedelta = ONE_DAY, progress: Progress | None = None) -> Dreamt:
        """Maintains this anchor: closes what nobody closed, applies the lifecycle of each record, consolidates."""
        return dream_at(self._resources, self.anchor, Dreaming(abandoned_after, progress))

    def audit(self) -> Audit:
        """Goes through this anchor's persistent memory, and tells what somebody should look at."""
        return audit(self._resources, iter([self.anchor]))

    def runner(
        self, reader: str, gates: Sequence[SanitizationGate] = (), *, other_domains: Sequence[str] = ()
    ) -> WorldAgentRunner:
        """This memory as an operator or a customer may ask it: all that another context is ever handed (D13).

        A customer is told nothing that names one of the other domains.
        """
        asking = Asking(choice(Reader, reader, "reader"), tuple(other_domains))
        return runner(self._resources, self, asking, gates)

    def shadow(self, text: str) -> list[Compared]:
        """What the reference-only gate would say to a text, guard by guard, and why; nothing is written."""
        return explain(self._resources, self.anchor, text)

    def add_rules(self, rules: Sequence[Rule]) -> None:
        """Puts canonical rules where memory refers to them: for local work, where no other owner keeps them."""
        with self._resources.store.unit(self.anchor) as unit:
            unit.rules.add(rules)


def _session(given: UUID | None) -> SessionId | None:
    return None if given is None else SessionId(checked_id(given, "session_id"))
