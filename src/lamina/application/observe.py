"""Observing: what happened is written down as it happens (P8, episodic)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zlib import crc32

from lamina.application.entries import entries_of
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

Refusals = dict[MemoryId, Refusal]
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
    now = Validity(resources.clock.now())
    records = [_record(resources, scope, one, first + index, now) for index, one in enumerate(observations)]
    refusals = _not_admitted(resources, scope, records)
    entries = entries_of(resources, [record for record in records if record.id not in refusals])
    rules = {record.id: one.rules for record, one in zip(records, observations, strict=True) if one.rules}
    try:
        return _write(resources, scope, records, entries, rules, refusals)
    except ShadowsRule:
        # Copies are rare, so they are looked for only where the store has met one; then all of them at once.
        refusals |= _copies(resources, scope, entries)
    kept = [entry for entry in entries if entry.record.id not in refusals]
    return _write(resources, scope, records, kept, rules, refusals)


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
        origin=Origin(scope.session_id, interaction_id, position),
        # Embeddings have ids of their own, so the record's is free there: one less to make for each of many.
        embedding_id=EmbeddingId(new),
    )


def _not_admitted(
    resources: Resources, scope: InteractionScope | SessionScope, records: Sequence[MemoryRecord]
) -> Refusals:
    policy = resources.spec.resolve(Cell(scope.tier, Typology.EPISODIC)).write
    asked = ((record.id, policy.admit(Attempt(Route.OBSERVATION, draw=_draw(record.id)))) for record in records)
    return {id_: refusal for id_, refusal in asked if refusal}


def _draw(memory_id: MemoryId) -> float:
    """A number in [0, 1) that is always the same for one record. Ids count up, so they are mixed first."""
    return crc32(memory_id.bytes) / 2**32


def _copies(resources: Resources, scope: InteractionScope | SessionScope, entries: Sequence[Entry]) -> Refusals:
    with resources.store.reading(scope.anchor) as unit:
        copied = unit.rules.copied_by([entry.record.body for entry in entries])
    return {
        entry.record.id: Refusal(
            "rule-shadow",
            f"it copies rule {found[0].rule_id} version {found[0].version} (similarity {found[1]:.3f}):"
            " refer to the rule, and write what you think of it",
        )
        for entry, found in zip(entries, copied, strict=True)
        if found
    }


def _write(  # noqa: PLR0913, PLR0917 (what was worked out for one batch)
    resources: Resources,
    scope: InteractionScope | SessionScope,
    records: Sequence[MemoryRecord],
    entries: Sequence[Entry],
    rules: Mapping[MemoryId, Sequence[RuleRef]],
    refusals: Refusals,
) -> list[Outcome]:
    outcomes = [_outcome(record, refusals.get(record.id)) for record in records]
    with resources.store.unit(scope.anchor) as unit:
        unit.records.add(entries)
        _refer(unit, entries, rules)
        unit.decisions.add(resources.decided("observe", outcomes))
    return outcomes


def _refer(unit: UnitOfWork, entries: Sequence[Entry], rules: Mapping[MemoryId, Sequence[RuleRef]]) -> None:
    for entry in entries:
        if entry.record.id in rules:
            unit.rule_references.add(entry.record.id, rules[entry.record.id])


def _outcome(record: MemoryRecord, refusal: Refusal | None) -> Outcome:
    if refusal:
        return Outcome(Decision.REFUSED, (), refusal.reason, refusal.rule)
    return Outcome(Decision.ADD, (record.id,), f"observed in the {record.tier}")
