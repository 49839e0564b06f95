"""Consolidating: facts that overlap become one, richer fact (P11). The successor is committed, and can be found, before
its sources are superseded; nothing is deleted. Interrupted in between, it goes on with the second half."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lamina.application.deciding import decide, sure
from lamina.application.entries import entries_of
from lamina.application.resources import Resources
from lamina.application.taking_over import take_over
from lamina.application.undo import last_change
from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.dreaming import Done, Dreamt
from lamina.domain.errors import InvalidInput
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.merging import lost_in
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.consolidation import Relation
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.scope import PersistentScope
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive, supersede
from lamina.domain.typology import Cell, Typology
from lamina.domain.validity import Validity
from lamina.ports.merger import Merged
from lamina.ports.records import Entry
from lamina.ports.unit_of_work import UnitOfWork

PAGE: Final = 1_000
LOOKED_AT: Final = 5
FACTS: Final = Cell(Tier.PERSISTENT, Typology.SEMANTIC)
MERGE, CONSOLIDATE = "merge", "consolidate"


def consolidate(resources: Resources, anchor: Anchor, report: Dreamt) -> None:
    """Looks once at each fact without a claim; what has one is settled by it (P10). Without a merger all stays."""
    if resources.merger is None:
        return
    for id_ in _not_looked_at(resources, anchor):
        outcome = _look_at(resources, anchor, id_)
        if outcome and outcome.decision is Decision.UPDATE:
            report.note(anchor, Done.MERGED, outcome)


def _not_looked_at(resources: Resources, anchor: Anchor) -> Iterator[MemoryId]:
    after: MemoryId | None = None
    while True:
        with resources.store.reading(anchor) as unit:
            page = [one.record for one in unit.reviews.page(after, PAGE)]
            facts = [one.id for one in page if _mergeable(one)]
            done = unit.decisions.touched_by(CONSOLIDATE, facts) if facts else set()
        yield from (id_ for id_ in facts if id_ not in done)
        if not page:
            return
        after = page[-1].id


def _mergeable(record: MemoryRecord) -> bool:
    return record.cell == FACTS and record.live and record.claim is None


def _look_at(resources: Resources, anchor: Anchor, memory_id: MemoryId) -> Outcome | None:
    with resources.store.reading(anchor) as unit:
        record = unit.records.get([memory_id]).get(memory_id)
        if record is None or not _mergeable(record):
            return None
        begun = _begun(unit, memory_id)
        partner = None if begun else _partner(resources, unit, record)
    if begun:
        return _finish(resources, anchor, begun)
    if partner is None:
        return _left(resources, anchor, (record,), "nothing overlaps with it")
    return _merge(resources, anchor, sorted((record, partner), key=lambda one: (one.validity.valid_at, one.id)))


def _begun(unit: UnitOfWork, memory_id: MemoryId) -> Outcome | None:
    """The first half of a consolidation that was interrupted."""
    merges = [entry.outcome for entry in unit.decisions.about(memory_id) if entry.verb == MERGE]
    return next((one for one in merges if one.decision is Decision.ADD and one.id != memory_id), None)


def _partner(resources: Resources, unit: UnitOfWork, record: MemoryRecord) -> MemoryRecord | None:
    """The nearest fact that the policy says overlaps with it."""
    vector = unit.candidates.vectors([record.id]).get(record.id)
    if vector is None:
        return None
    alike = Selection(tiers=frozenset({FACTS.tier}), typologies=frozenset({FACTS.typology}))
    near = unit.candidates.nearest(vector, resources.embedder.model, alike, LOOKED_AT)
    others = [one for one in unit.records.get(near).values() if one.id != record.id and _mergeable(one)]
    policy = resources.spec.resolve(FACTS).consolidation
    overlapping = [one for one in others if policy.relate(one, record, near[one.id]) is Relation.OVERLAPPING]
    return max(overlapping, key=lambda one: (near[one.id], one.id), default=None)


def _merge(resources: Resources, anchor: Anchor, sources: Sequence[MemoryRecord]) -> Outcome | None:
    """Asks the merger, writes the successor, and only then lets it take the place of its sources."""
    assert resources.merger is not None  # noqa: S101 (else nothing is looked at)
    merged = resources.merger.merge([one.body for one in sources])
    if merged.ask_again:
        return None
    entry = _successor(resources, anchor, sources, merged)
    if isinstance(entry, Refusal):
        return _left(resources, anchor, sources, entry.reason)

    def write(unit: UnitOfWork) -> Outcome:
        if unit.records.get(_ids(sources)) != {one.id: one for one in sources}:
            return Outcome(
                Decision.NOOP, _ids(sources), "somebody changed one of them meanwhile: left for the next time"
            )
        unit.records.add([entry])
        for one in sources:
            spoken, refs = unit.corroborations.of(one.id), unit.rule_references.of(one.id)
            take_over(resources, unit, entry.record.id, spoken, refs)
        return Outcome(
            Decision.ADD, (entry.record.id, *_ids(sources)), f"one fact in the place of two: {merged.reason}"
        )

    written = decide(resources, anchor, MERGE, write)
    if written.stopped:
        return _left(resources, anchor, sources, written.reason)
    return _finish(resources, anchor, written) if written.decision is Decision.ADD else written


def _successor(
    resources: Resources, anchor: Anchor, sources: Sequence[MemoryRecord], merged: Merged
) -> Entry | Refusal:
    if merged.text is None:
        return Refusal(CONSOLIDATE, merged.reason)
    lost = lost_in(merged.text, (one.body for one in sources))
    if lost:
        return Refusal(CONSOLIDATE, f"the merged text has lost {lost!r}")
    try:
        body = resources.spec.checked_body(merged.text)
    except InvalidInput as error:
        return Refusal(CONSOLIDATE, f"the merged text cannot be kept: {error}")
    latest = sources[-1]
    record = MemoryRecord(
        id=MemoryId(resources.ids.new()),
        scope=PersistentScope(anchor),
        typology=FACTS.typology,
        body=body,
        recorded_at=resources.clock.now(),
        validity=Validity(latest.validity.valid_at),
        tags=latest.tags,
        world_version=latest.world_version,
        embedding_id=EmbeddingId(resources.ids.new()),
    )
    (entry,) = entries_of(resources, [record])
    return entry


def _finish(resources: Resources, anchor: Anchor, merge: Outcome) -> Outcome:
    """The second half: the sources are superseded, unless one of them was changed since it was read."""

    def act(unit: UnitOfWork) -> Outcome:
        successor_id, *source_ids = merge.ids
        there = unit.records.get(merge.ids)
        successor = there.get(successor_id)
        if successor is None or not successor.live:
            return Outcome(Decision.NOOP, tuple(source_ids), f"{successor_id} was put away: they stay as they are")
        now = resources.clock.now()
        if any(_changed(unit, id_, merge) for id_ in source_ids):
            unit.records.change(sure(archive(successor, now, "what it was merged from has changed since")))
            return Outcome(Decision.DELETE, merge.ids, "what it was merged from has changed since")
        for id_ in source_ids:
            unit.records.change(sure(supersede(there[id_], successor, now)))
        _dismiss(resources, unit, source_ids, successor_id)
        return Outcome(Decision.UPDATE, merge.ids, merge.reason)

    return decide(resources, anchor, CONSOLIDATE, act)


def _changed(unit: UnitOfWork, memory_id: MemoryId, merge: Outcome) -> bool:
    return last_change(unit, memory_id).outcome != merge


def _dismiss(resources: Resources, unit: UnitOfWork, sources: Sequence[MemoryId], successor: MemoryId) -> None:
    """Two that are one now no longer contradict each other."""
    for one in unit.contradictions.of(sources[0]):
        if one.status is ContradictionStatus.OPEN and {one.memory_id, one.against} == set(sources):
            step = one.move(ContradictionStatus.DISMISSED, resources.clock.now(), f"merged into {successor}")
            if not isinstance(step, Refusal):
                unit.contradictions.move(step)


def _left(resources: Resources, anchor: Anchor, sources: Sequence[MemoryRecord], why: str) -> Outcome:
    """They stay as they are, and are not looked at again."""
    return decide(resources, anchor, CONSOLIDATE, lambda _: Outcome(Decision.NOOP, _ids(sources), why))


def _ids(records: Sequence[MemoryRecord]) -> tuple[MemoryId, ...]:
    return tuple(one.id for one in records)
