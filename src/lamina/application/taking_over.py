"""One record in the place of another: what was said of that one is said of it, for and against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lamina.application.resources import Resources
from lamina.domain.corroboration import Corroboration
from lamina.domain.ids import CorroborationId, MemoryId
from lamina.domain.references import RuleRef
from lamina.ports.unit_of_work import UnitOfWork


def take_over(
    resources: Resources,
    unit: UnitOfWork,
    memory_id: MemoryId,
    corroborations: Iterable[Corroboration],
    references: Iterable[RuleRef],
) -> None:
    """Writes for one record what a source found of another that says the same, and what that one refers to."""
    said = [replace(one, id=CorroborationId(resources.ids.new()), memory_id=memory_id) for one in corroborations]
    if said and resources.spec.persistence.corroborations:
        unit.corroborations.add(said)
    refs = sorted(references, key=str)
    if refs:
        unit.rule_references.add(memory_id, refs)
