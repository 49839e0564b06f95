"""Observing: what happened is written down as it happens (P8, episodic)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zlib import crc32

from lamina.application.entries import entries_of
from lamina.application.gateway import Gateway, Passed, Submission, Verdict
from lamina.application.resources import Resources
from lamina.domain.errors import ShadowsRule
from lamina.domain.frozen import FrozenMap
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.write import Attempt, Route
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.typology import Cell, Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.unit_of_work import UnitOfWork

NO_TAGS: Final = Tags()


@dataclass(frozen=True, slots=True)
class Observation:
    """What was observed: the text, and how it is found again."""

    text: str
    tags: Mapping[str, str] = FrozenMap()
    rules: Sequence[RuleRef] = ()
    at: datetime | None = None
    """When it happened, if not just now."""


def observe(
    resources: Resources, scope: InteractionScope | SessionScope, observations: Sequence[Observation], first: int
) -> list[Outcome]:
    """Writes what the gates admit, in one transaction. `first` is the position of the first in its session."""
    batch = _Batch(resources, scope, observations, first)
    try:
        return batch.written()
    except ShadowsRule:
        # Copies are rare, so they are looked for only where the store has met one; then all of them at once.
        batch.refuse_copies()
    return batch.written()


class _Batch:
    """Observations on their way in: a record for each, and what the gates say to it."""

    def __init__(
        self,
        resources: Resources,
        scope: InteractionScope | SessionScope,
        observations: Sequence[Observation],
        first: int,
    ) -> None:
        self._resources = resources
        self._scope = scope
        self._gateway = Gateway(resources, scope.anchor, "observe")
        now = Validity(resources.clock.now())
        records = [_record(resources, scope, one, first + index, now) for index, one in enumerate(observations)]
        verdicts = self._gateway.admit(Cell(scope.tier, Typology.EPISODIC), [_submission(one) for one in records])
        self._records = list(map(_as_passed, records, verdicts))
        self._verdicts = dict(zip((record.id for record in records), verdicts, strict=True))
        self._entries = entries_of(resources, [one for one in self._records if self._passed(one)])
        both = zip(records, observations, strict=True)
        self._rules = {record.id: one.rules for record, one in both if one.rules}

    def written(self) -> list[Outcome]:
        """What became of each, written together with it."""
        with self._resources.store.unit(self._scope.anchor) as unit:
            self._refuse_echoes(unit)
            entries = self._passing()
            unit.records.add(entries)
            _refer(unit, entries, self._rules)
            outcomes = [_outcome(record, self._verdicts[record.id]) for record in self._records]
            unit.decisions.add(self._resources.decided("observe", outcomes))
        return outcomes

    def refuse_copies(self) -> None:
        """Asks the store which of them copy a rule."""
        with self._resources.store.reading(self._scope.anchor) as unit:
            self._refuse(self._copies(unit, self._passing()))

    def _refuse_echoes(self, unit: UnitOfWork) -> None:
        shown = self._gateway.shown(unit, self._scope.session_id)
        echoes = (
            {entry.record.id: shown.echoed_by(entry.record.body) for entry in self._passing()} if shown.whole else {}
        )
        refused = {id_: refusal for id_, refusal in echoes.items() if refusal}
        # A gate that comes first is named first, though it is asked last.
        earlier = self._copies(unit, [entry for entry in self._passing() if entry.record.id in refused])
        self._refuse(earlier)
        self._verdicts |= {id_: refusal for id_, refusal in refused.items() if id_ not in earlier}

    def _copies(self, unit: UnitOfWork, entries: Sequence[Entry]) -> dict[MemoryId, Refusal]:
        if not entries:
            return {}
        refusals = self._gateway.copies(unit, [entry.record.body for entry in entries])
        both = zip(entries, refusals, strict=True)
        return {entry.record.id: refusal for entry, refusal in both if refusal}

    def _refuse(self, copies: Mapping[MemoryId, Refusal]) -> None:
        self._verdicts |= copies
        self._gateway.surface(list(copies.values()))

    def _passing(self) -> list[Entry]:
        return [entry for entry in self._entries if self._passed(entry.record)]

    def _passed(self, record: MemoryRecord) -> bool:
        return isinstance(self._verdicts[record.id], Passed)


def _record(
    resources: Resources,
    scope: InteractionScope | SessionScope,
    observation: Observation,
    position: int,
    now: Validity,
) -> MemoryRecord:
    interaction_id = scope.interaction_id if isinstance(scope, InteractionScope) else None
    new = resources.ids.new()
    return MemoryRecord(
        id=MemoryId(new),
        scope=scope,
        typology=Typology.EPISODIC,
        body=resources.spec.checked_body(observation.text),
        recorded_at=now.valid_at,
        validity=Validity(observation.at) if observation.at else now,
        tags=Tags(observation.tags) if observation.tags else NO_TAGS,
        world_version=resources.world_version,
        origin=Origin(scope.session_id, interaction_id, position),
        # Embeddings have ids of their own, so the record's is free there: one less to make for each of many.
        embedding_id=EmbeddingId(new),
    )


def _submission(record: MemoryRecord) -> Submission:
    attempt = Attempt(Route.OBSERVATION, draw=_draw(record.id))
    return Submission(record.body, attempt, tuple(record.tags.values()) if record.tags else ())


def _draw(memory_id: MemoryId) -> float:
    """A number in [0, 1) that is always the same for one record. Ids count up, so they are mixed first."""
    return crc32(memory_id.bytes) / 2**32


def _as_passed(record: MemoryRecord, verdict: Verdict) -> MemoryRecord:
    """The record with the text that the gates let through."""
    if isinstance(verdict, Refusal) or verdict.text == record.body:
        return record
    return replace(record, body=verdict.text)


def _refer(unit: UnitOfWork, entries: Sequence[Entry], rules: Mapping[MemoryId, Sequence[RuleRef]]) -> None:
    for entry in entries:
        if entry.record.id in rules:
            unit.rule_references.add(entry.record.id, rules[entry.record.id])


def _outcome(record: MemoryRecord, verdict: Verdict) -> Outcome:
    if isinstance(verdict, Refusal):
        return Outcome(Decision.REFUSED, (), verdict.reason, verdict.rule)
    return Outcome(Decision.ADD, (record.id,), verdict.told(f"observed in the {record.tier}"))
