"""Preferring: how things are to be done, because somebody said so or because it was seen often enough (P8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lamina.application.corroborate import Source
from lamina.application.deciding import decide, refused
from lamina.application.entries import entries_of
from lamina.application.gateway import Gateway
from lamina.application.judging import Rulings
from lamina.application.resources import Resources
from lamina.application.settling import Settling, dated, known_of, settle
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.ids import CorroborationId, EmbeddingId, MemoryId
from lamina.domain.outcome import Outcome
from lamina.domain.policies.write import Attempt, Route
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.scope import PersistentScope, Scope
from lamina.domain.state import Candidate
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Preference:
    """What is preferred. With a confidence it was extracted from what was seen; without one it was stated."""

    text: str
    claim: Claim | None = None
    confidence: float | None = None
    at: datetime | None = None
    evidence: Sequence[Source] = ()
    """What it was extracted from, or heard in: each speaks for it, beside whoever prefers it."""

    @property
    def attempt(self) -> Attempt:
        """How it comes to the gateway."""
        if self.confidence is None:
            return Attempt(Route.STATED)
        return Attempt(Route.EXTRACTED, self.confidence)


def prefer(resources: Resources, scope: Scope, preference: Preference) -> Outcome:
    """Writes the preference; the one whose place it takes is superseded, and kept."""
    stated = _candidate(resources, scope, preference)
    gateway = Gateway(resources, scope.anchor, "prefer")
    (verdict,) = gateway.admit([stated], [preference.attempt])
    if isinstance(verdict, Refusal):
        return decide(resources, scope.anchor, "prefer", lambda _: refused(verdict))
    candidate = verdict.of(stated)
    (prepared,) = entries_of(resources, [candidate])

    def act(unit: UnitOfWork) -> Outcome:
        # Whoever states a preference again means it; what is inferred from the prompt is an echo.
        echo = None if preference.confidence is None else gateway.echo(unit, scope, candidate.body)
        if echo:
            return refused(echo)
        known = known_of(unit, candidate)
        entry = dated(resources, prepared, known, preference.at)
        evidence = _evidence(resources, candidate, preference)
        spoken = [_spoken(resources, scope, candidate, preference), *evidence]
        case = Settling(entry.record, known, verdict.told("admitted"), rulings, new=entry)
        outcome = settle(resources, unit, case, spoken)
        if evidence and resources.spec.persistence.corroborations:
            unit.corroborations.add(evidence)
        return outcome

    rulings = Rulings(resources)
    return rulings.settled(lambda: decide(resources, scope.anchor, "prefer", act))


def _candidate(resources: Resources, scope: Scope, preference: Preference) -> MemoryRecord:
    now = resources.clock.now()
    return MemoryRecord(
        id=MemoryId(resources.ids.new()),
        scope=PersistentScope(scope.anchor),
        typology=Typology.PROCEDURAL,
        body=resources.spec.checked_body(preference.text),
        recorded_at=now,
        validity=Validity(preference.at or now),
        claim=preference.claim,
        world_version=resources.world_version,
        state=Candidate(now, "stated, not placed yet", "proposal"),
        embedding_id=EmbeddingId(resources.ids.new()),
    )


def _spoken(resources: Resources, scope: Scope, candidate: MemoryRecord, preference: Preference) -> Corroboration:
    session_id = None if isinstance(scope, PersistentScope) else scope.session_id
    return Corroboration(
        id=CorroborationId(resources.ids.new()),
        memory_id=candidate.id,
        source_type=SourceType.OPERATOR_INPUT if preference.confidence is None else SourceType.AGENT_INFERENCE,
        source_ref=session_id or scope.anchor.id,
        corroborated_at=resources.clock.now(),
        session_id=session_id,
        world_version=resources.world_version,
    )


def _evidence(resources: Resources, candidate: MemoryRecord, preference: Preference) -> list[Corroboration]:
    return [
        Corroboration(
            id=CorroborationId(resources.ids.new()),
            memory_id=candidate.id,
            source_type=source.kind,
            source_ref=source.ref,
            corroborated_at=resources.clock.now(),
            session_id=source.session_id,
        )
        for source in preference.evidence
    ]
