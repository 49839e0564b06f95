"""Corroborating: a source speaks for or against a record, and a candidate that it speaks for is reconsidered (D9)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from lamina.application.propose import reconsider
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.ids import CorroborationId, MemoryId, SessionId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.state import Candidate


@dataclass(frozen=True, slots=True)
class Source:
    """Who speaks: what kind of thing it is, which one, and in which session if in any."""

    kind: SourceType
    ref: UUID
    session_id: SessionId | None = None


@dataclass(frozen=True, slots=True)
class Testimony:
    """What a source found, in its own words if it has any."""

    source: Source
    finding: Finding
    notes: str = ""


def corroborate(resources: Resources, anchor: Anchor, memory_id: MemoryId, testimony: Testimony) -> Outcome:
    """Writes what the source found."""
    with resources.store.unit(anchor) as unit:
        record = unit.records.get([memory_id]).get(memory_id)
        refusal = _refusal(memory_id, record)
        if refusal or record is None:
            outcome = Outcome(Decision.REFUSED, (), refusal or "", rule="corroboration")
        else:
            unit.corroborations.add([_corroboration(resources, memory_id, testimony)])
            held = isinstance(record.state, Candidate)
            heard = Outcome(Decision.NOOP, (memory_id,), f"{testimony.finding} by {testimony.source.kind}")
            outcome = reconsider(resources, unit, record) if held else heard
        unit.decisions.add([resources.decided("corroborate", outcome)])
    return outcome


def _refusal(memory_id: MemoryId, record: MemoryRecord | None) -> str | None:
    if record is None:
        return f"{memory_id} is no memory of this anchor"
    if not record.live and not isinstance(record.state, Candidate):
        return f"{memory_id} is {type(record.state).__name__.lower()}: what is retired is not corroborated"
    return None


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
    )
