"""Observing: what happened is written down as it happens (P8, episodic)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from lamina.application.resources import Resources
from lamina.domain.embedding import Embedding
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
    """Writes what the write policy admits, in one transaction. `first` is the position of the first in its session."""
    policy = resources.spec.resolve(Cell(scope.tier, Typology.EPISODIC)).write
    records = [_record(resources, scope, one, first + index) for index, one in enumerate(observations)]
    refusals = {record.id: policy.admit(Attempt(Route.OBSERVATION, draw=_draw(record.id))) for record in records}
    entries = embedded(resources, [record for record in records if refusals[record.id] is None])
    rules = {record.id: one.rules for record, one in zip(records, observations, strict=True)}
    outcomes = [_outcome(record, refusals[record.id]) for record in records]
    with resources.store.unit(scope.anchor) as unit:
        unit.records.add(entries)
        _refer(unit, entries, rules)
        unit.decisions.add([resources.decided("observe", outcome) for outcome in outcomes])
    return outcomes


def embedded(resources: Resources, records: Sequence[MemoryRecord]) -> list[Entry]:
    """The records with their vectors: in one batch, and outside any transaction."""
    vectors = resources.embedder.documents([record.body for record in records]) if records else []
    entries = []
    for record, vector in zip(records, vectors, strict=True):
        assert record.embedding_id is not None  # noqa: S101 (whoever made the record gave it one)
        entries.append(Entry(record, Embedding(record.embedding_id, resources.embedder.model, vector)))
    return entries


def _record(
    resources: Resources, scope: InteractionScope | SessionScope, observation: Observation, position: int
) -> MemoryRecord:
    now = resources.clock.now()
    interaction_id = scope.interaction_id if isinstance(scope, InteractionScope) else None
    return MemoryRecord(
        id=MemoryId(resources.ids.new()),
        scope=scope,
        typology=Typology.EPISODIC,
        body=resources.spec.checked_body(observation.text),
        recorded_at=now,
        validity=Validity(observation.at or now),
        tags=Tags(observation.tags),
        origin=Origin(scope.session_id, interaction_id, position),
        embedding_id=EmbeddingId(resources.ids.new()),
    )


def _refer(unit: UnitOfWork, entries: Sequence[Entry], rules: Mapping[MemoryId, Sequence[RuleRef]]) -> None:
    for entry in entries:
        if rules[entry.record.id]:
            unit.rule_references.add(entry.record.id, rules[entry.record.id])


def _outcome(record: MemoryRecord, refusal: Refusal | None) -> Outcome:
    if refusal:
        return Outcome(Decision.REFUSED, (), refusal.reason, refusal.rule)
    return Outcome(Decision.ADD, (record.id,), f"observed in the {record.tier}")


def _draw(memory_id: MemoryId) -> float:
    """A number in [0, 1) that is always the same for one record. Ids count up, so they are mixed first."""
    return crc32(memory_id.bytes) / 2**32
