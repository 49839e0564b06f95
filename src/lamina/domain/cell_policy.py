"""What governs one (tier, typology) cell, once a spec is resolved. The whole library reads this, never a constant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lamina.domain.defaults import Rise, row_of
from lamina.domain.policies.conflict import ConflictPolicy
from lamina.domain.policies.consolidation import ConsolidationPolicy
from lamina.domain.policies.decay import DecayModel
from lamina.domain.policies.injection import InjectionPolicy
from lamina.domain.policies.lifecycle import LifecyclePolicy
from lamina.domain.policies.promotion import PromotionPolicy
from lamina.domain.policies.write import WritePolicy
from lamina.domain.tier import Tier
from lamina.domain.typology import CELLS, Cell, Typology


@dataclass(frozen=True, slots=True)
class PromotionPath:
    """Where a cell's records rise to, and what they need for it."""

    rise: Rise
    target: Cell
    rule: PromotionPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPolicy:
    """One policy for each behavioural primitive."""

    cell: Cell
    produced: bool
    """Whether this agent writes such records. The schema has the cell either way (D4)."""
    lifecycle: LifecyclePolicy
    decay: DecayModel
    write: WritePolicy
    promotion: PromotionPath | None
    """None where nothing that this agent holds lies above."""
    conflict: ConflictPolicy
    consolidation: ConsolidationPolicy
    injection: InjectionPolicy


def rise_from(cell: Cell, holds: Mapping[Tier, tuple[Typology, ...]]) -> tuple[Rise, Cell] | None:
    """Which row of the promotion table a cell's records rise by, and into which cell, given what each tier holds."""
    facts = Cell(Tier.PERSISTENT, Typology.SEMANTIC)
    if cell.typology is Typology.PROCEDURAL:
        return Rise.PROCEDURAL, cell
    if cell == facts:
        return Rise.SEMANTIC_TO_META, cell
    if cell.typology is Typology.EPISODIC and cell.tier.transient:
        above = [tier for tier in Tier if tier.height > cell.tier.height and Typology.EPISODIC in holds.get(tier, ())]
        if above:
            return Rise.EPISODIC_TRANSIENT_TO_PERSISTENT, Cell(above[0], Typology.EPISODIC)
    if cell.typology is Typology.EPISODIC and Typology.SEMANTIC in holds.get(Tier.PERSISTENT, ()):
        return Rise.EPISODIC_TO_SEMANTIC, facts
    return None


def rows_in_use(holds: Mapping[Tier, tuple[Typology, ...]]) -> set[str]:
    """The rows of all typology tables that govern something, given what each tier holds."""
    cells = [cell for cell in CELLS if cell.typology in holds.get(cell.tier, ())]
    rises = {rise[0] for cell in cells if (rise := rise_from(cell, holds))}
    return {*map(row_of, cells), *(cell.typology for cell in cells), *rises, *holds}
