"""Proposing: an agent never writes a fact; it proposes one with its evidence, and the criteria of P9 decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.application.observe import embedded
from lamina.application.resources import Resources
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.errors import ImpossibleState
from lamina.domain.ids import CorroborationId, EmbeddingId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.conflict import Incoming, Neighbour, Resolution
from lamina.domain.policies.promotion import Case, Held
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.scope import PersistentScope, Scope
from lamina.domain.state import Candidate
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive, grant, invalidate, supersede
from lamina.domain.typology import Cell, Typology
from lamina.domain.validity import Validity
from lamina.ports.unit_of_work import UnitOfWork

FACTS = Cell(Tier.PERSISTENT, Typology.SEMANTIC)


def propose(resources: Resources, scope: Scope, text: str, claim: Claim | None, because: Sequence[MemoryId]) -> Outcome:
    """Writes the fact if its evidence is enough; keeps it as a candidate with the reason if it is not yet."""
    (entry,) = embedded(resources, [_candidate(resources, scope, text, claim)])
    with resources.store.unit(scope.anchor) as unit:
        evidence = unit.records.get(because)
        missing = [id_ for id_ in because if id_ not in evidence]
        if missing or not because:
            outcome = _without_evidence(missing)
        else:
            unit.records.add([entry])
            unit.corroborations.add([_spoken_for(resources, entry.record.id, one) for one in evidence.values()])
            outcome = reconsider(resources, unit, entry.record)
        unit.decisions.add([resources.decided("propose", outcome)])
    return outcome


def reconsider(resources: Resources, unit: UnitOfWork, candidate: MemoryRecord) -> Outcome:
    """Asks the promotion criteria about a candidate, with all that speaks for it now."""
    verdict = resources.spec.fact_criteria.judge(_case(unit, candidate))
    if isinstance(verdict, Held):
        return Outcome(Decision.HELD, (candidate.id,), verdict.reason, verdict.criterion)
    return _settle(resources, unit, candidate, verdict.reason)


def _candidate(resources: Resources, scope: Scope, text: str, claim: Claim | None) -> MemoryRecord:
    now = resources.clock.now()
    return MemoryRecord(
        id=MemoryId(resources.ids.new()),
        scope=PersistentScope(scope.anchor),
        typology=Typology.SEMANTIC,
        body=resources.spec.checked_body(text),
        recorded_at=now,
        validity=Validity(now),
        claim=claim,
        state=Candidate(now, "proposed, not judged yet", "proposal"),
        embedding_id=EmbeddingId(resources.ids.new()),
    )


def _without_evidence(missing: Sequence[MemoryId]) -> Outcome:
    named = ", ".join(map(str, missing))
    reason = f"{named} is no memory of this anchor" if missing else "a fact needs evidence: say because=[...]"
    return Outcome(Decision.REFUSED, (), reason, rule="evidence")


def _spoken_for(resources: Resources, memory_id: MemoryId, episode: MemoryRecord) -> Corroboration:
    return Corroboration(
        id=CorroborationId(resources.ids.new()),
        memory_id=memory_id,
        source_type=SourceType.OBSERVATION_EVENT,
        source_ref=episode.id,
        corroborated_at=resources.clock.now(),
        session_id=episode.origin.session_id if episode.origin else None,
    )


def _case(unit: UnitOfWork, candidate: MemoryRecord) -> Case:
    spoken = tuple(unit.corroborations.of(candidate.id))
    sessions = frozenset(str(one.session_id or one.source_ref) for one in spoken if one.confirms)
    return Case(corroborations=spoken, contexts=sessions)


def _settle(resources: Resources, unit: UnitOfWork, candidate: MemoryRecord, why: str) -> Outcome:
    """A granted candidate meets what is known already."""
    resolution = _resolution(resources, unit, candidate)
    if resolution.decision is Decision.NOOP and resolution.about:
        unit.records.change(_sure(archive(candidate, resources.clock.now(), f"known already as {resolution.about}")))
        return Outcome(Decision.NOOP, (resolution.about, candidate.id), resolution.reason)
    fact = _sure(grant(replace(candidate, validity=_span(candidate, resolution)), resources.clock.now()))
    touched = [fact.id]
    if resolution.decision is Decision.UPDATE and resolution.about:
        old = unit.records.get([resolution.about])[resolution.about]
        unit.records.change(_ended(resources, old, fact, resolution.reason))
        touched.append(old.id)
    unit.records.change(fact)
    return Outcome(resolution.decision, tuple(touched), f"{resolution.reason}; {why}")


def _resolution(resources: Resources, unit: UnitOfWork, candidate: MemoryRecord) -> Resolution:
    claim = candidate.claim
    known = unit.records.with_claim(candidate.typology, claim.key) if claim else []
    incoming = Incoming(candidate.body, claim, candidate.validity.valid_at)
    policy = resources.spec.resolve(FACTS).conflict
    return policy.resolve(incoming, [Neighbour(record, similarity=0.0) for record in known])


def _ended(resources: Resources, old: MemoryRecord, new: MemoryRecord, reason: str) -> MemoryRecord:
    now = resources.clock.now()
    if resources.spec.resolve(FACTS).conflict.supersedes:
        return _sure(supersede(old, new, now))
    return _sure(invalidate(old, new.validity.valid_at, now, reason, by=new))


def _span(candidate: MemoryRecord, resolution: Resolution) -> Validity:
    return Validity(candidate.validity.valid_at, resolution.until)


def _sure(transition: MemoryRecord | Refusal) -> MemoryRecord:
    """A transition that the rules have already allowed."""
    if isinstance(transition, Refusal):
        raise ImpossibleState("write", f"broke a rule that it had passed ({transition})", "report this")
    return transition
