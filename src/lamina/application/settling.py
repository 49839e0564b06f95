"""Settling: a new fact or preference meets what is known already (P10). The new one always survives, or is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.application.contradict import open_contradiction
from lamina.application.deciding import sure
from lamina.application.judging import Rulings
from lamina.application.resources import Resources
from lamina.application.taking_over import take_over
from lamina.domain.corroboration import Corroboration
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.conflict import Incoming, Neighbour, Resolution
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive, grant, invalidate, supersede
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.unit_of_work import UnitOfWork

LOOKED_AT = 5
"""How many of the nearest texts a memory without a claim is compared with."""


def known_of(unit: UnitOfWork, record: MemoryRecord) -> list[MemoryRecord]:
    """The live records that claim something of the same matter."""
    return unit.records.with_claim(record.typology, record.claim.key) if record.claim else []


def dated(resources: Resources, entry: Entry, known: Sequence[MemoryRecord], valid_at: datetime | None) -> Entry:
    """The entry as it is recorded now, and so since then or as of now.

    Now is not before anything that is known of the matter: somebody with another clock, or quicker, was first.
    """
    now = max([resources.clock.now(), *(one.recorded_at for one in known)])
    return replace(entry, record=replace(entry.record, recorded_at=now, validity=Validity(valid_at or now)))


@dataclass(frozen=True, slots=True)
class Settling:
    """A candidate, what was known of its matter when it was dated, why nothing holds it, and the judge's rulings."""

    candidate: MemoryRecord
    known: Sequence[MemoryRecord]
    why: str
    rulings: Rulings
    new: Entry | None = None
    """The candidate with what it is found by, if it is not written yet: it is written once, as what it comes to."""

    def write(self, unit: UnitOfWork, record: MemoryRecord) -> None:
        """Writes what the candidate has come to."""
        if self.new:
            unit.records.add([replace(self.new, record=record)])
        elif record is not self.candidate:
            unit.records.change(record)


def settle(resources: Resources, unit: UnitOfWork, case: Settling, spoken: Sequence[Corroboration]) -> Outcome:
    """A candidate that nothing holds any more takes its place among what is known; what is not so yet takes it once it
    is, as what is known until then is so today."""
    candidate = case.candidate
    resolution, known = _resolution(resources, unit, case)
    if resolution.decision is Decision.NOOP and resolution.about:
        _confirm(resources, unit, case, resolution.about, spoken)
        case.write(unit, sure(archive(candidate, resources.clock.now(), f"known already as {resolution.about}")))
        return Outcome(Decision.NOOP, (resolution.about, candidate.id), resolution.reason)
    now = max(resources.clock.now(), candidate.recorded_at)
    if candidate.validity.is_to_come(now):
        case.write(unit, candidate)
        begins = f"it is so from {candidate.validity.valid_at:%Y-%m-%d %H:%M} on: maintenance places it then"
        return Outcome(Decision.HELD, (candidate.id,), begins, "validity")
    bounded = replace(candidate, validity=Validity(candidate.validity.valid_at, resolution.until))
    live = sure(grant(bounded, resources.clock.now()))
    touched = (live.id, *_make_room(resources, unit, live, resolution, known))
    case.write(unit, live)
    _dispute(resources, unit, live, resolution)
    return Outcome(resolution.decision, touched, f"{resolution.reason}; {case.why}")


def _resolution(resources: Resources, unit: UnitOfWork, case: Settling) -> tuple[Resolution, MemoryRecord | None]:
    """What its cell's conflict policy says to a record, and the live one that it is about."""
    record = case.candidate
    incoming = Incoming(record.body, record.claim, record.validity.valid_at)
    neighbours = _neighbours(resources, unit, case)
    resolution = resources.spec.resolve(record.cell).conflict.resolve(incoming, neighbours)
    known = next((one.record for one in neighbours if one.record.id == resolution.about), None)
    return case.rulings.apply(resolution, known, record.body), known


def _neighbours(resources: Resources, unit: UnitOfWork, case: Settling) -> list[Neighbour]:
    record = case.candidate
    if record.claim:
        return [Neighbour(one, similarity=0.0) for one in case.known]
    alike = Selection(tiers=frozenset({Tier.PERSISTENT}), typologies=frozenset({record.typology}))
    near = unit.candidates.nearest(_vector(unit, case), resources.embedder.model, alike, LOOKED_AT)
    return [Neighbour(one, near[one.id]) for one in unit.records.get(near).values() if one.id != record.id]


def _vector(unit: UnitOfWork, case: Settling) -> bytes:
    if case.new and case.new.embedding:
        return case.new.embedding.vector
    return unit.candidates.vectors([case.candidate.id])[case.candidate.id]


def _make_room(
    resources: Resources, unit: UnitOfWork, record: MemoryRecord, resolution: Resolution, known: MemoryRecord | None
) -> tuple[MemoryId, ...]:
    """Ends the record whose place the new one takes, as it was seen: the store refuses if it is another by now."""
    if resolution.decision is not Decision.UPDATE or known is None:
        return ()
    now = resources.clock.now()
    if resources.spec.resolve(record.cell).conflict.supersedes:
        unit.records.change(sure(supersede(known, record, now)))
    else:
        unit.records.change(sure(invalidate(known, record.validity.valid_at, now, resolution.reason, by=record)))
    return (known.id,)


def _dispute(resources: Resources, unit: UnitOfWork, record: MemoryRecord, resolution: Resolution) -> None:
    """Opens a contradiction where the rules could not tell the two apart, if the spec keeps any."""
    if resolution.opens_contradiction and resolution.about and resources.spec.persistence.contradictions:
        unit.contradictions.add([open_contradiction(resources, record.id, resolution.about, resolution.reason)])


def _confirm(
    resources: Resources, unit: UnitOfWork, case: Settling, known: MemoryId, spoken: Iterable[Corroboration]
) -> None:
    """What was said of the new one is said of the known one, which says the same; what it refers to goes with it."""
    take_over(resources, unit, known, spoken, () if case.new else unit.rule_references.of(case.candidate.id))
