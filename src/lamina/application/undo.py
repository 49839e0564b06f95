"""Undoing: one decision is reverted, and that is a decision too. Nothing of what happened is rewritten."""

from __future__ import annotations

from collections.abc import Iterable

from lamina.application.deciding import decide, refused
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.replay import UNDO
from lamina.domain.transitions import archive, restore
from lamina.ports.unit_of_work import UnitOfWork

UNCHANGED = (Decision.NOOP, Decision.REFUSED)


def undo(resources: Resources, anchor: Anchor, decision_id: DecisionId, reason: str) -> Outcome:
    """What the decision wrote is archived; what it retired is live again. It must be the last about each of them."""

    def act(unit: UnitOfWork) -> Outcome:
        entry = unit.decisions.get(decision_id)
        refusal = _refusal(unit, decision_id, entry)
        if refusal or entry is None:
            return refused(refusal or _unknown(decision_id))
        reverted = _reverted(resources, unit, entry, reason)
        if isinstance(reverted, Refusal):
            return refused(reverted)
        for record in reverted:
            unit.records.change(record)
        ids = tuple(record.id for record in reverted)
        return Outcome(Decision.UPDATE, ids, f"decision {decision_id} ({entry.verb}) is undone: {reason}")

    return decide(resources, anchor, UNDO, act)


def _refusal(unit: UnitOfWork, decision_id: DecisionId, entry: DecisionEntry | None) -> Refusal | None:
    if entry is None:
        return _unknown(decision_id)
    if entry.verb == UNDO:
        return Refusal(UNDO, "an undo is not undone: decide anew what should hold")
    if entry.outcome.decision in UNCHANGED:
        return Refusal(UNDO, f"{entry.outcome.decision} changed no record: there is nothing to undo")
    later = [last for id_ in entry.outcome.ids if (last := last_change(unit, id_)).id != decision_id]
    if later:
        return Refusal(UNDO, f"{later[0].verb} (decision {later[0].id}) came after it: undo that first")
    return None


def last_change(unit: UnitOfWork, memory_id: MemoryId) -> DecisionEntry:
    """What it was changed by last. What was merely said of it since, such as a corroboration, is no change."""
    return [one for one in unit.decisions.about(memory_id) if one.outcome.decision not in UNCHANGED][-1]


def _unknown(decision_id: DecisionId) -> Refusal:
    return Refusal("anchor", f"{decision_id} is no decision of this anchor")


def _reverted(
    resources: Resources, unit: UnitOfWork, entry: DecisionEntry, reason: str
) -> list[MemoryRecord] | Refusal:
    """What it wrote goes first, to make room for what it had retired."""
    ids = entry.outcome.ids
    there = unit.records.get(ids)
    # An update of two records wrote the first in the place of the second; an update of one changed that one.
    wrote = entry.outcome.decision in (Decision.ADD, Decision.HELD) or len(ids) > 1
    new = ids[:1] if wrote else ()
    records = [there[id_] for id_ in ids if id_ in there]
    steps = [
        archive(record, resources.clock.now(), f"undone: {reason}") if record.id in new else restore(record)
        for record in records
    ]
    return _all(steps)


def _all(steps: Iterable[MemoryRecord | Refusal]) -> list[MemoryRecord] | Refusal:
    done: list[MemoryRecord] = []
    for step in steps:
        if isinstance(step, Refusal):
            return Refusal(UNDO, step.reason)
        done.append(step)
    return done
