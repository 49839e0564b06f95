"""Undoing: one decision is reverted, and that is a decision too. Nothing of what happened is rewritten."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.deciding import decide_saying, refused
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.timeline import overlap
from lamina.domain.transitions import archive, restore
from lamina.domain.undoing import UNDO, changes, former_state
from lamina.ports.unit_of_work import UnitOfWork


def undo(resources: Resources, anchor: Anchor, decision_id: DecisionId, reason: str) -> Outcome:
    """What the decision wrote is archived; what it retired is what it was. It must be the last about each of them."""

    def act(unit: UnitOfWork) -> Outcome:
        entry = unit.decisions.get(decision_id)
        if entry is None:
            return refused(Refusal("anchor", f"{decision_id} is no decision of this anchor"))
        reverted = _refusal(unit, entry) or _reverted(resources, unit, entry, reason)
        if isinstance(reverted, Refusal):
            return refused(reverted)
        for record in reverted:
            unit.records.change(record)
        ids = tuple(record.id for record in reverted)
        return Outcome(Decision.UPDATE, ids, f"decision {decision_id} ({entry.verb}) is undone: {reason}")

    return decide_saying(resources, anchor, UNDO, reason, act)


def _refusal(unit: UnitOfWork, entry: DecisionEntry) -> Refusal | None:
    if entry.verb == UNDO:
        return Refusal(UNDO, "an undo is not undone: decide anew what should hold")
    changed = {id_: changes(unit.decisions.about(id_)) for id_ in entry.outcome.ids}
    if not any(entry in all_ for all_ in changed.values()):
        return Refusal(UNDO, f"{entry.outcome.decision} changed no record: there is nothing to undo")
    later = [all_[-1] for all_ in changed.values() if all_[-1] != entry]
    if not later:
        return None
    then = "decide anew what should hold" if later[0].verb == UNDO else "undo that first"
    return Refusal(UNDO, f"{later[0].verb} (decision {later[0].id}) came after it: {then}")


def last_change(unit: UnitOfWork, memory_id: MemoryId) -> DecisionEntry:
    """What it was changed by last."""
    return changes(unit.decisions.about(memory_id))[-1]


def _reverted(
    resources: Resources, unit: UnitOfWork, entry: DecisionEntry, reason: str
) -> list[MemoryRecord] | Refusal:
    """What it wrote goes first, to make room for what it had retired."""
    ids = entry.outcome.ids
    there = unit.records.get(ids)
    # An update of two records wrote the first in the place of the second; an update of one changed that one.
    wrote = entry.outcome.decision in (Decision.ADD, Decision.HELD) or len(ids) > 1
    reverted: list[MemoryRecord] = []
    for id_ in ids:
        if id_ not in there:
            return Refusal(UNDO, f"{id_} was dropped with its scope: it cannot come back")
        if wrote and id_ == ids[0]:
            step = _withdrawn(resources, unit, there[id_], reason)
        else:
            step = restore(there[id_], former_state(id_, unit.decisions.about(id_), entry.id))
        if isinstance(step, Refusal):
            return Refusal(UNDO, step.reason)
        reverted.append(step)
    return _clash(unit, reverted) or reverted


def _withdrawn(resources: Resources, unit: UnitOfWork, record: MemoryRecord, reason: str) -> MemoryRecord | Refusal:
    links = unit.action_links.of(record.id)
    if links:
        return Refusal(UNDO, f"{links[0].kind} {links[0].ref} was justified by {record.id}: it stays as it is")
    return archive(record, resources.clock.now(), f"undone: {reason}")


def _clash(unit: UnitOfWork, reverted: Sequence[MemoryRecord]) -> Refusal | None:
    """What was retired cannot come back where something else is known of its matter by now."""
    ids = {record.id for record in reverted}
    for record in reverted:
        if record.claim and record.live:
            line = [one for one in unit.records.with_claim(record.typology, record.claim.key) if one.id not in ids]
            met = overlap([*line, *(one for one in reverted if one.live and one.claim)])
            if met:
                other = next(one.id for one in met if one.id != record.id)
                return Refusal(UNDO, f"{other} says otherwise of the same matter by now: retire that first")
    return None
