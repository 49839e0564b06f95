"""Corroborating: a source speaks for or against a record, and a candidate that it speaks for is reconsidered (D9)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from lamina.application.deciding import decide_saying, found, refused
from lamina.application.judging import Rulings
from lamina.application.propose import reconsider
from lamina.application.resources import Resources
from lamina.application.settling import known_of
from lamina.domain.anchor import Anchor
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.ids import CorroborationId, MemoryId, SessionId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.state import Candidate
from lamina.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Source:
    """Who speaks: what kind of thing it is, which one, and in which session if in any."""

    kind: SourceType
    ref: UUID
    session_id: SessionId | None = None
    found_in: Anchor | None = None
    """The other anchor in which it found the same, if it was not this one."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """What a source found, in its own words if it has any."""

    source: Source
    finding: Finding
    notes: str = ""


def corroborate(resources: Resources, anchor: Anchor, memory_id: MemoryId, testimony: Testimony) -> Outcome:
    """Writes what the source found."""

    def act(unit: UnitOfWork) -> Outcome:
        record = _corroborable(unit, memory_id)
        if isinstance(record, Refusal):
            return refused(record)
        unit.corroborations.add([_corroboration(resources, memory_id, testimony)])
        if isinstance(record.state, Candidate):
            return reconsider(resources, unit, record, known_of(unit, record), rulings)
        return Outcome(Decision.NOOP, (memory_id,), f"{testimony.finding} by {testimony.source.kind}")

    rulings = Rulings(resources)
    return rulings.settled(lambda: decide_saying(resources, anchor, "corroborate", testimony.notes, act))


def _corroborable(unit: UnitOfWork, memory_id: MemoryId) -> MemoryRecord | Refusal:
    record = found(unit, memory_id)
    if isinstance(record, Refusal) or record.live or isinstance(record.state, Candidate):
        return record
    state = type(record.state).__name__.lower()
    return Refusal("corroboration", f"{memory_id} is {state}: what is retired is not corroborated")


def _corroboration(resources: Resources, memory_id: MemoryId, testimony: Testimony) -> Corroboration:
    source = testimony.source
    return Corroboration(
        id=CorroborationId(resources.ids.new()),
        memory_id=memory_id,
        source_type=source.kind,
        source_ref=source.ref,
        corroborated_at=resources.clock.now(),
        session_id=source.session_id,
        outcome=testimony.finding,
        notes=testimony.notes,
        world_version=resources.world_version,
        found_in=source.found_in.id if source.found_in else None,
    )
