"""Proposing: an agent never writes a fact; it proposes one with its evidence, and the criteria of P9 decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.application.deciding import decide, refused
from lamina.application.entries import entries_of
from lamina.application.evidence import SILENT, evidence
from lamina.application.gateway import Gateway
from lamina.application.judging import Rulings
from lamina.application.resources import Resources
from lamina.application.settling import Settling, dated, known_of, settle
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.ids import CorroborationId, EmbeddingId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.promotion import Case, Granted, Held
from lamina.domain.policies.write import Attempt, Route
from lamina.domain.record import MemoryRecord
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.sanitization.proposing import concern, sanitized
from lamina.domain.scope import PersistentScope, Scope
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.state import Candidate
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact, what it claims, what speaks for it, since when it is so if not just now, and which rules it is about."""

    text: str
    claim: Claim | None = None
    because: Sequence[MemoryId] = ()
    at: datetime | None = None
    rules: Sequence[RuleRef] = ()
    """The canonical rules that it is about."""


def propose(resources: Resources, scope: Scope, proposal: Proposal) -> Outcome:
    """Writes the fact if its evidence is enough; keeps it as a candidate with the reason if it is not yet."""
    proposed = _candidate(resources, scope, proposal)
    gateway = Gateway(resources, scope.anchor, "propose")
    (verdict,) = gateway.admit([proposed], [Attempt(Route.PROMOTION)])
    if isinstance(verdict, Refusal):
        return decide(resources, scope.anchor, "propose", lambda _: refused(verdict))
    crossed, stripped = sanitized(resources.spec, verdict.of(proposed))
    (prepared,) = entries_of(resources, [crossed])

    def act(unit: UnitOfWork) -> Outcome:
        speaking, missing = evidence(unit, proposal.because)
        if missing or not speaking:
            return refused(_without_evidence(missing))
        known = known_of(unit, prepared.record)
        entry = dated(resources, prepared, known, proposal.at)
        waiting = _waiting(unit, entry.record)
        spoken = [spoken_for(resources, (waiting or entry.record).id, one) for one in speaking]
        if waiting:
            unit.corroborations.add(spoken)
            outcome = reconsider(resources, unit, waiting, known, rulings)
        else:
            outcome = _consider(resources, unit, Settling(entry.record, known, "", rulings, new=entry), spoken)
            unit.corroborations.add(spoken)
        if proposal.rules:
            unit.rule_references.add(outcome.id, proposal.rules)
        return replace(outcome, reason="; ".join([verdict.told(outcome.reason), *([stripped] if stripped else [])]))

    rulings = Rulings(resources)
    return rulings.settled(lambda: decide(resources, scope.anchor, "propose", act))


def _waiting(unit: UnitOfWork, new: MemoryRecord) -> MemoryRecord | None:
    """A candidate that claims the same and is held: what speaks for the new one speaks for that."""
    if new.claim is None:
        return None
    waiting = unit.records.candidates_with_claim(new.typology, new.claim.key)
    return next((one for one in waiting if one.claim and one.claim.agrees_with(new.claim)), None)


def reconsider(
    resources: Resources, unit: UnitOfWork, candidate: MemoryRecord, known: Sequence[MemoryRecord], rulings: Rulings
) -> Outcome:
    """Asks the promotion criteria about a candidate again, with all that speaks for it now."""
    return _consider(resources, unit, Settling(candidate, known, "", rulings), unit.corroborations.of(candidate.id))


def judged(spec: AgentMemorySpec, candidate: MemoryRecord, spoken: Sequence[Corroboration]) -> Granted | Held:
    """What the promotion criteria say to a candidate. What was stated needs none: it waited until it was so."""
    if candidate.typology is Typology.PROCEDURAL:
        return Granted("it has begun")
    return spec.fact_criteria.judge(case_of(spec, candidate, tuple(spoken)))


def _consider(resources: Resources, unit: UnitOfWork, case: Settling, spoken: Sequence[Corroboration]) -> Outcome:
    candidate = case.candidate
    verdict = judged(resources.spec, candidate, spoken)
    if isinstance(verdict, Held):
        case.write(unit, candidate)
        return Outcome(Decision.HELD, (candidate.id,), verdict.reason, verdict.criterion)
    return settle(resources, unit, replace(case, why=verdict.reason), spoken)


def _candidate(resources: Resources, scope: Scope, proposal: Proposal) -> MemoryRecord:
    now = resources.clock.now()
    return MemoryRecord(
        id=MemoryId(resources.ids.new()),
        scope=PersistentScope(scope.anchor),
        typology=Typology.SEMANTIC,
        body=resources.spec.checked_body(proposal.text),
        recorded_at=now,
        validity=Validity(proposal.at or now),
        claim=proposal.claim,
        world_version=resources.world_version,
        state=Candidate(now, "proposed, not judged yet", "proposal"),
        embedding_id=EmbeddingId(resources.ids.new()),
    )


def _without_evidence(missing: Sequence[MemoryId]) -> Refusal:
    named = ", ".join(map(str, missing))
    reason = f"{named} {SILENT}" if missing else "a fact needs evidence: say because=[...]"
    return Refusal("evidence", reason)


def spoken_for(resources: Resources, memory_id: MemoryId, episode: MemoryRecord) -> Corroboration:
    """An episode speaks for a fact: it was observed."""
    return Corroboration(
        id=CorroborationId(resources.ids.new()),
        memory_id=memory_id,
        source_type=SourceType.OBSERVATION_EVENT,
        source_ref=episode.id,
        corroborated_at=resources.clock.now(),
        session_id=episode.origin.session_id if episode.origin else None,
        world_version=episode.world_version,
    )


def case_of(spec: AgentMemorySpec, candidate: MemoryRecord, spoken: Sequence[Corroboration]) -> Case:
    """What speaks for making a fact of it."""
    counting = tuple(one for one in spoken if spec.trust.counts(one))
    sessions = frozenset(str(one.session_id or one.source_ref) for one in counting if one.confirms)
    return Case(
        corroborations=counting,
        distrusted=len(spoken) - len(counting),
        sanitization_concern=concern(spec, candidate),
        contexts=sessions,
    )
