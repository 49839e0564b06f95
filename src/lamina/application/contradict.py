"""Contradicting: what does not fit together is written down, and goes its own way to an operator (D7)."""

from __future__ import annotations

from lamina.application.deciding import decide_saying, found, refused
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.ports.unit_of_work import UnitOfWork


def contradict(
    resources: Resources, anchor: Anchor, memory_id: MemoryId, against: RuleRef | MemoryId, note: str
) -> Outcome:
    """Opens a contradiction between a memory and a rule, or another memory. Nothing is retired by it."""
    opened = open_contradiction(resources, memory_id, against, note)

    def act(unit: UnitOfWork) -> Outcome:
        for side in opened.sides:
            record = found(unit, side)
            if isinstance(record, Refusal):
                return refused(record)
        if memory_id == against:
            return refused(Refusal("contradiction", f"{memory_id} does not contradict itself: name its other side"))
        if isinstance(against, RuleRef) and not unit.rules.get([against]):
            return refused(Refusal("reference", f"rule {against.rule_id} has no version {against.version} here"))
        unit.contradictions.add([opened])
        return Outcome(Decision.NOOP, opened.sides, f"contradiction {opened.id} is open: {note}")

    return decide_saying(resources, anchor, "contradict", note, act)


def move_contradiction(
    resources: Resources, anchor: Anchor, contradiction_id: ContradictionId, status: ContradictionStatus, note: str
) -> Outcome:
    """Takes a contradiction one step on, if its status leads there."""
    moved: list[Contradiction] = []

    def act(unit: UnitOfWork) -> Outcome:
        known = unit.contradictions.get(contradiction_id)
        if known is None:
            return refused(Refusal("anchor", f"{contradiction_id} is no contradiction of this anchor"))
        step = known.move(status, resources.clock.now(), note)
        if isinstance(step, Refusal):
            return refused(step)
        unit.contradictions.move(step)
        moved[:] = [step]
        return Outcome(Decision.NOOP, step.sides, f"contradiction {contradiction_id} is {status}: {note}")

    outcome = decide_saying(resources, anchor, "move_contradiction", note, act)
    if not outcome.stopped and status is ContradictionStatus.PROMOTED_TO_REVISION_SIGNAL:
        resources.signals.tell(anchor, moved[0])
    return outcome


def open_contradiction(
    resources: Resources, memory_id: MemoryId, against: RuleRef | MemoryId, note: str
) -> Contradiction:
    """A contradiction as it begins."""
    return Contradiction(
        id=ContradictionId(resources.ids.new()),
        memory_id=memory_id,
        against=against,
        history=(StatusChange(ContradictionStatus.OPEN, resources.clock.now(), note),),
        world_version=resources.world_version,
    )
