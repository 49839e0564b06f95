"""Attending to one record: what maintenance has decided is done, in the unit that has taken the record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lamina.application.contradict import open_contradiction
from lamina.application.copying import copy_of
from lamina.application.deciding import sure
from lamina.application.judging import Rulings
from lamina.application.propose import case_of, judged, reconsider, spoken_for
from lamina.application.resources import Resources
from lamina.application.settling import known_of
from lamina.application.taking_over import take_over
from lamina.domain import transitions
from lamina.domain.canon import Canon
from lamina.domain.dreaming import Done
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.promotion import Granted
from lamina.domain.record import MemoryRecord
from lamina.domain.state import Active, Candidate
from lamina.domain.typology import Typology
from lamina.domain.upkeep import Duty, Reviewed, Upkeep, upkeep
from lamina.ports.records import Entry
from lamina.ports.unit_of_work import UnitOfWork

Attended = tuple[Done, Outcome]


@dataclass(frozen=True, slots=True)
class Attending:
    """One page of records in one unit of work."""

    resources: Resources
    unit: UnitOfWork
    canon: Canon
    rulings: Rulings

    def attend(self, one: Reviewed) -> Attended | None:
        """What became of the record, if anything did. What is not so yet waits."""
        if one.record.validity.is_to_come(self.resources.clock.now()):
            return None
        spec = self.resources.spec
        if isinstance(one.record.state, Candidate):
            ready = isinstance(judged(spec, one.record, one.corroborations), Granted)
            return self._grant(one) if ready else None
        verdict = spec.fact_criteria.judge(case_of(spec, one.record, one.corroborations))
        policy = spec.resolve(one.record.cell)
        decided = upkeep(one, policy, verdict, self.canon, self.resources.clock.now())
        return self._do(one, decided)

    def _do(self, one: Reviewed, decided: Upkeep) -> Attended | None:
        now = self.resources.clock.now()
        match decided.duty:
            case Duty.KEEP:
                return None
            case Duty.ARCHIVE:
                return self._retire(transitions.archive(one.record, now, decided.reason), Done.ARCHIVED, decided)
            case Duty.INVALIDATE:
                ended = transitions.invalidate(one.record, now, now, decided.reason)
                return self._retire(ended, Done.INVALIDATED, decided)
            case Duty.EXEMPT:
                return self._retire(transitions.exempt(one.record, now, decided.reason), Done.EXEMPTED, decided)
            case Duty.RISE | Duty.WIDEN if self._is_a_rule(one.record):
                return self._said_by_a_rule(one, decided)
            case Duty.RISE:
                return Done.BECAME_FACT, self._rise(one, decided)
            case Duty.WIDEN:
                return Done.WIDENED, self._widen(one, decided)
            case Duty.DISPUTE:
                return self._dispute(one.record, decided)

    def _retire(self, transition: transitions.Transition, done: Done, decided: Upkeep) -> Attended:
        changed = sure(transition)
        self.unit.records.change(changed)
        decision = Decision.UPDATE if changed.live else Decision.DELETE
        return done, Outcome(decision, (changed.id,), decided.reason)

    def _is_a_rule(self, record: MemoryRecord) -> bool:
        """Whether what it says has become a canonical rule: no store would take it again."""
        return self.unit.rules.copied_by([record.body]) != [None]

    def _said_by_a_rule(self, one: Reviewed, decided: Upkeep) -> Attended | None:
        """A fact stays as it is; an episode, whose time is up, comes to an outcome."""
        if decided.duty is Duty.WIDEN:
            return None
        put_away = replace(decided, reason=f"{decided.reason}; a canonical rule says it by now")
        now = self.resources.clock.now()
        if one.pinned:
            return self._retire(transitions.exempt(one.record, now, put_away.reason), Done.EXEMPTED, put_away)
        return self._retire(transitions.archive(one.record, now, put_away.reason), Done.ARCHIVED, put_away)

    def _grant(self, one: Reviewed) -> Attended | None:
        """What held a candidate is met, though nobody said so since: it has begun, or the spec asks for less."""
        outcome = reconsider(self.resources, self.unit, one.record, known_of(self.unit, one.record), self.rulings)
        return None if outcome.stopped else (Done.GRANTED, outcome)

    def _rise(self, one: Reviewed, decided: Upkeep) -> Outcome:
        """An episode that enough speaks for becomes a fact; the episode stays live, disposed of."""
        state = Candidate(self.resources.clock.now(), "an episode that became a fact", "proposal")
        entry = self._copy(one.record, typology=Typology.SEMANTIC, state=state)
        self.unit.records.add([entry])
        self._take_over(entry.record.id, one)
        self.unit.corroborations.add([spoken_for(self.resources, entry.record.id, one.record)])
        outcome = reconsider(self.resources, self.unit, entry.record, (), self.rulings)
        if not outcome.stopped:
            self.unit.records.change(sure(transitions.promote(one.record, outcome.id, self.resources.clock.now())))
        reason = f"{decided.reason}; {outcome.reason}"
        return replace(outcome, ids=(*outcome.ids, one.record.id), reason=reason)

    def _widen(self, one: Reviewed, decided: Upkeep) -> Outcome:
        """A fact that holds further is written anew with its reach; the one that did not know it is superseded."""
        entry = self._copy(one.record, reach=decided.reach, state=Active(), granted_at=None)
        self.unit.records.change(sure(transitions.supersede(one.record, entry.record, entry.record.recorded_at)))
        self.unit.records.add([entry])
        self._take_over(entry.record.id, one)
        return Outcome(Decision.UPDATE, (entry.record.id, one.record.id), f"holds {decided.reach}: {decided.reason}")

    def _dispute(self, record: MemoryRecord, decided: Upkeep) -> Attended | None:
        if not self.resources.spec.persistence.contradictions:
            return None
        known = {one.against for one in self.unit.contradictions.of(record.id)}
        new = [ref for ref in decided.against if ref not in known]
        opened = [open_contradiction(self.resources, record.id, ref, decided.reason) for ref in new]
        self.unit.contradictions.add(opened)
        return (Done.DISPUTED, Outcome(Decision.NOOP, (record.id,), decided.reason)) if opened else None

    def _copy(self, record: MemoryRecord, **changes: object) -> Entry:
        vector = self.unit.candidates.vectors([record.id]).get(record.id)
        (lexemes,) = self.resources.lexer.lexemes([record.body])
        return copy_of(self.resources, record, vector, lexemes, **changes)

    def _take_over(self, memory_id: MemoryId, one: Reviewed) -> None:
        """What was said of a record and what it refers to go with it."""
        take_over(self.resources, self.unit, memory_id, one.corroborations, one.references)
