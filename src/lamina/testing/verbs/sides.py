"""The same verb on every store: first planned, then done; what it issued is what the log has of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from lamina.application.anchored import AnchoredMemory
from lamina.application.closing import Closed
from lamina.application.memory import Memory
from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction, ContradictionStatus
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.dreaming import Dreamt
from lamina.domain.errors import LaminaError
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.provenance_row import entries_by_record
from lamina.domain.record import MemoryRecord
from lamina.domain.references import ActionLink, RuleRef
from lamina.ports.unit_of_work import UnitOfWork
from lamina.testing.verbs.vocabulary import CountedIds

Verb = Callable[[int, AnchoredMemory], Any]
"""Is told on which of the stores, and given its memory of the anchor."""
ACTIONS = (("refund", "r-1"), ("rule_promotion", "règle 7"))


@dataclass(frozen=True)
class Side:
    """One store's memory, and the ids that it was given."""

    memory: Memory
    ids: CountedIds

    def at(self, anchor: Anchor) -> AnchoredMemory:
        """Its memory of one anchor."""
        return self.memory.at(**dict(anchor.parts))

    def reading(self, anchor: Anchor) -> AbstractContextManager[UnitOfWork]:
        """A look past the verbs."""
        return self.at(anchor)._resources.store.reading(anchor)  # noqa: SLF001 (what is there, whatever they say)


@dataclass(frozen=True)
class Answer:
    """What a verb said, or the error that it raised; what the log has of it; and how many ids it took."""

    said: Any
    entries: list[DecisionEntry]
    issued: int


def answer(number: int, side: Side, anchor: Anchor, verb: Verb, plan: Verb | None) -> Answer:
    """What one side says. What was planned is what is done, to the last id."""
    first = side.ids.count
    planned = _said(number, side.at(anchor).plan(), plan) if plan else None
    side.ids.count = first
    said = _said(number, side.at(anchor), verb)
    assert plan is None or planned == said, f"the plan was {planned}, and what came of it {said}"
    issued = [UUID(int=number) for number in range(first + 1, side.ids.count + 1)]
    with side.reading(anchor) as unit:
        entries = [entry for id_ in issued if (entry := unit.decisions.get(DecisionId(id_)))]
    return Answer(said, entries, len(issued))


def _said(number: int, memory: AnchoredMemory, verb: Verb) -> Any:
    try:
        said = verb(number, memory)
    except LaminaError as error:
        return type(error).__name__, str(error)
    if isinstance(said, Closed):
        return list(said.outcomes)
    return (said.counts, said.examples, said.sessions_closed) if isinstance(said, Dreamt) else said


@dataclass(frozen=True)
class Everything:
    """All that a store has of one anchor."""

    records: dict[MemoryId, MemoryRecord]
    decisions: dict[MemoryId, list[DecisionEntry]]
    doubts: list[Contradiction]
    links: list[ActionLink]
    voices: dict[MemoryId, list[Corroboration]]
    refs: dict[MemoryId, frozenset[RuleRef]]


def everything(side: Side, anchor: Anchor, ids: Sequence[Any], referring: Sequence[Any]) -> Everything:
    """Read by the ids that were ever issued."""
    with side.reading(anchor) as unit:
        records = unit.records.get(ids)
        return Everything(
            records,
            entries_by_record(unit.decisions.about_any(ids), ids),
            [one for status in ContradictionStatus for one in unit.contradictions.with_status(status, 1_000)],
            [link for action in ACTIONS for link in unit.action_links.behind(*action)],
            unit.corroborations.of_any(list(records)),
            {id_: refs for id_ in referring if (refs := unit.rule_references.of(id_))},
        )
