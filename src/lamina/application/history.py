"""History: what became of a record, and why, from its first decision to what took its place."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import UnknownRecord
from lamina.domain.ids import MemoryId
from lamina.domain.lineage import lineage
from lamina.domain.record import MemoryRecord
from lamina.domain.references import ActionLink, RuleRef
from lamina.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Chapter:
    """One record of the chain: as it is now, what was decided about it, and all that is tied to it."""

    record: MemoryRecord
    decisions: tuple[DecisionEntry, ...]
    corroborations: tuple[Corroboration, ...]
    contradictions: tuple[Contradiction, ...]
    actions: tuple[ActionLink, ...]
    rules: frozenset[RuleRef]


def history(resources: Resources, anchor: Anchor, memory_id: MemoryId) -> list[Chapter]:
    """The record and what took its place, in turn."""
    with resources.store.reading(anchor) as unit:
        first = _get(unit, memory_id)
        return [_chapter(unit, record) for record in lineage(first, lambda id_: _get(unit, id_))]


def _chapter(unit: UnitOfWork, record: MemoryRecord) -> Chapter:
    return Chapter(
        record,
        tuple(unit.decisions.about(record.id)),
        tuple(unit.corroborations.of(record.id)),
        tuple(unit.contradictions.of(record.id)),
        tuple(unit.action_links.of(record.id)),
        unit.rule_references.of(record.id),
    )


def _get(unit: UnitOfWork, memory_id: MemoryId) -> MemoryRecord:
    record = unit.records.get([memory_id]).get(memory_id)
    if record is None:
        raise UnknownRecord(f"record {memory_id}", "is not there", "ask for a memory of this anchor")
    return record
