"""Observing: what happened is written down as it happens (P8, episodic)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zlib import crc32

from lamina.application.entries import entries_of
from lamina.application.gateway import Gateway, Passed, Verdict
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
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
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
        # One of these for each observation, in its place: looking them up by id would take longer than the gates.
        attempts = (Attempt(Route.OBSERVATION, draw=_draw(record.id)) for record in records)
        self._verdicts = self._gateway.admit(records, attempts)
        self._records = [
            record if isinstance(verdict, Refusal) else verdict.of(record)
            for record, verdict in zip(records, self._verdicts, strict=True)
        ]
        self._rules = [one.rules for one in observations]
        self._places = [place for place, verdict in enumerate(self._verdicts) if isinstance(verdict, Passed)]
        self._entries = entries_of(resources, [self._records[place] for place in self._places])

    def written(self) -> list[Outcome]:
        """What became of each, written together with it."""
        with self._resources.store.unit(self._scope.anchor) as unit:
            self._refuse_echoes(unit)
            unit.records.add(self._entries)
            for place in self._places:
                if self._rules[place]:
                    unit.rule_references.add(self._records[place].id, self._rules[place])
            # The words are the same for all: a store sends what is the same only once.
            reason = f"observed in the {self._scope.tier}"
            both = zip(self._records, self._verdicts, strict=True)
            outcomes = [_outcome(record.id, verdict, reason) for record, verdict in both]
            unit.decisions.add(self._resources.decided("observe", outcomes))
        return outcomes

    def refuse_copies(self) -> None:
        """Asks the store which of them copy a rule."""
        with self._resources.store.reading(self._scope.anchor) as unit:
            self._refuse_copies(unit, self._places)

    def _refuse_echoes(self, unit: UnitOfWork) -> None:
        shown = self._gateway.shown(unit, self._scope.session_id)
        if not shown.whole:
            return
        echoes = {place: shown.echoed_by(self._records[place].body) for place in self._places}
        refused = {place: refusal for place, refusal in echoes.items() if refusal}
        # A gate that comes first is named first, though it is asked last.
        self._refuse_copies(unit, list(refused))
        self._refuse({place: refused[place] for place in self._places if place in refused})

    def _refuse_copies(self, unit: UnitOfWork, places: Sequence[int]) -> None:
        refusals = self._gateway.copies(unit, [self._records[place].body for place in places]) if places else []
        copies = {place: refusal for place, refusal in zip(places, refusals, strict=True) if refusal}
        self._refuse(copies)
        self._gateway.surface(list(copies.values()))

    def _refuse(self, refused: Mapping[int, Refusal]) -> None:
        """These are not written."""
        if not refused:
            return
        for place, refusal in refused.items():
            self._verdicts[place] = refusal
        kept = [(place, one) for place, one in zip(self._places, self._entries, strict=True) if place not in refused]
        self._places, self._entries = [place for place, _ in kept], [one for _, one in kept]


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


def _draw(memory_id: MemoryId) -> float:
    """A number in [0, 1) that is always the same for one record. Ids count up, so they are mixed first."""
    return crc32(memory_id.bytes) / 2**32


def _outcome(memory_id: MemoryId, verdict: Verdict, reason: str) -> Outcome:
    if isinstance(verdict, Refusal):
        return Outcome(Decision.REFUSED, (), verdict.reason, verdict.rule)
    return Outcome(Decision.ADD, (memory_id,), verdict.told(reason))
