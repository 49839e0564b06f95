"""Deciding: one transaction for a decision and its effect, taken anew if somebody else was quicker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lamina.application.gateway import Gateway
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.copying import refused_rule
from lamina.domain.discipline import SHADOW_FLOOR, Canonical
from lamina.domain.errors import ImpossibleState, InvertedValidity, OverlappingClaims, ShadowsRule, StaleRecord
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.ports.unit_of_work import UnitOfWork

TRIES = 1_000
"""Each time it is done again somebody else has got on: whoever is unlucky is overtaken as often as others write."""
Act = Callable[[UnitOfWork], Outcome]
T = TypeVar("T")


def decide(resources: Resources, anchor: Anchor, verb: str, act: Act) -> Outcome:
    """What comes of the act, written together with it. A refusal leaves nothing else behind."""
    try:
        return _decide(resources, anchor, verb, act)
    except ShadowsRule as error:
        entry = resources.spec.reference_only.entry(Canonical.RULE_CONTENT)
        refusal = refused_rule(entry, error.guard, error.happened)
        if resources.surface:
            resources.surface.refused(verb, anchor, [refusal])
    except InvertedValidity as error:
        refusal = Refusal("validity", f"{error.thing} {error.happened}: {error.remedy}")
    return _decide(resources, anchor, verb, lambda _: refused(refusal))


def decide_saying(resources: Resources, anchor: Anchor, verb: str, words: str, act: Act) -> Outcome:
    """The same of an act that keeps words beside a record: they go through the reference-only gate first."""
    gateway = Gateway(resources, anchor, verb)
    refusal = gateway.words(words)

    def unless_copied(unit: UnitOfWork) -> Outcome:
        # What is shorter copies nothing.
        copies = [copy for copy in gateway.copies(unit, [words]) if copy] if len(words) >= SHADOW_FLOOR else []
        gateway.surface(copies)
        return refused(copies[0]) if copies else act(unit)

    return decide(resources, anchor, verb, (lambda _: refused(refusal)) if refusal else unless_copied)


def _decide(resources: Resources, anchor: Anchor, verb: str, act: Act) -> Outcome:
    def once() -> Outcome:
        with resources.store.unit(anchor) as unit:
            outcome = act(unit)
            unit.decisions.add(resources.decided(verb, [outcome]))
        return outcome

    return retried(once)


def retried(act: Callable[[], T]) -> T:
    """Does it again where somebody else changed what it was decided on: what holds now decides."""
    for _ in range(TRIES - 1):
        try:
            return act()
        except (StaleRecord, OverlappingClaims):
            continue
    return act()


def refused(refusal: Refusal) -> Outcome:
    """A rule's refusal as an outcome."""
    return Outcome(Decision.REFUSED, (), refusal.reason, refusal.rule)


def found(unit: UnitOfWork, memory_id: MemoryId) -> MemoryRecord | Refusal:
    """One record, or that it is not there."""
    record = unit.records.get([memory_id]).get(memory_id)
    return record or Refusal("anchor", f"{memory_id} is no memory of this anchor")


def sure(transition: MemoryRecord | Refusal) -> MemoryRecord:
    """A transition that the rules have already allowed."""
    if isinstance(transition, Refusal):
        raise ImpossibleState("write", f"broke a rule that it had passed ({transition})", "report this")
    return transition
