"""The typology tables of the primitives page, as data. A spec that says nothing gets these; one that says otherwise
documents a deviation. The comments are the page's own rows."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from lamina.domain.policies.conflict import Accumulate, ConflictPolicy, Supersede, TemporalUpdate
from lamina.domain.policies.consolidation import (
    AppendWithSupersession,
    CompoundAtBoundary,
    ConsolidationPolicy,
    MergeByJudge,
)
from lamina.domain.policies.decay import DecayExempt, DecayModel, ForcingFunction, ValidityWindow
from lamina.domain.policies.injection import InjectionPolicy, Presence
from lamina.domain.policies.lifecycle import (
    DisposeByForcing,
    DropAtScopeEnd,
    LifecyclePolicy,
    PersistIndefinitely,
    TrackCorroboration,
)
from lamina.domain.policies.promotion import (
    ByCriteria,
    Corroborated,
    Distinct,
    HoldsAcrossContexts,
    NoPromotion,
    PersistedVersions,
    PromotionPolicy,
    Recurring,
    Sanitized,
    SurvivingReferences,
)
from lamina.domain.policies.write import AutoWrite, StatedOrExtracted, ThroughPromotion, WritePolicy
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology


class Row(StrEnum):
    """A row of the lifecycle and decay tables: only for episodes does the tier make a difference."""

    EPISODIC_TRANSIENT = "episodic-transient"
    EPISODIC_PERSISTENT = "episodic-persistent"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Rise(StrEnum):
    """A row of the promotion table: from what, to what."""

    EPISODIC_TRANSIENT_TO_PERSISTENT = "episodic-transient-to-persistent"
    EPISODIC_TO_SEMANTIC = "episodic-to-semantic"
    SEMANTIC_TO_META = "semantic-to-meta-semantic"
    PROCEDURAL = "procedural"


def row_of(cell: Cell) -> Row:
    """The row of the lifecycle and decay tables that a cell falls under."""
    if cell.typology is Typology.EPISODIC:
        return Row.EPISODIC_TRANSIENT if cell.tier.transient else Row.EPISODIC_PERSISTENT
    return Row(cell.typology)


# P5. Hybrid is the field default: vector + structured tag + recency, fused by RRF with k=60.
SIGNALS: Final[Mapping[Signal, float]] = {Signal.SEMANTIC: 1.0, Signal.TAGS: 1.0, Signal.TIME: 1.0}

LIFECYCLE: Final[Mapping[Row, LifecyclePolicy]] = {
    # Drop at scope-end unless promoted at the tier boundary.
    Row.EPISODIC_TRANSIENT: DropAtScopeEnd(),
    # Forcing-function decay toward disposition: promote, mark exempt, or archive.
    Row.EPISODIC_PERSISTENT: DisposeByForcing(),
    # Persist with corroboration tracking. Archive when invalidated by canonical-source change or by N consecutive
    # failed corroborations.
    Row.SEMANTIC: TrackCorroboration(),
    # Persist indefinitely. Decay-exempt by default. Archive on explicit invalidation only.
    Row.PROCEDURAL: PersistIndefinitely(),
}

DECAY: Final[Mapping[Row, DecayModel]] = {
    # The page has no row for transient episodes: their scope ends before time could press on them.
    Row.EPISODIC_TRANSIENT: DecayExempt(),
    # Forcing-function: entries must dispose toward an outcome; the weight increases as time passes.
    Row.EPISODIC_PERSISTENT: ForcingFunction(),
    # Validity-window decay: diminishing confidence in still-current state; re-corroboration extends validity.
    Row.SEMANTIC: ValidityWindow(),
    # Decay-exempt by default: durably true unless invalidated by a contradicting write.
    Row.PROCEDURAL: DecayExempt(),
}

WRITE: Final[Mapping[Typology, WritePolicy]] = {
    # Auto-write at observation events. Volume controlled by sampling and promotion gates.
    Typology.EPISODIC: AutoWrite(),
    # Explicit-write through a promotion engine; never directly written by the agent.
    Typology.SEMANTIC: ThroughPromotion(),
    # Mixed: explicit-write for stated preferences; auto-extract with high-confidence threshold.
    Typology.PROCEDURAL: StatedOrExtracted(),
}

PROMOTION: Final[Mapping[Rise, PromotionPolicy]] = {
    # Compounding pass at tier boundary; embedding-similarity dedup against existing persistent entries.
    Rise.EPISODIC_TRANSIENT_TO_PERSISTENT: ByCriteria(criteria=(Distinct(),)),
    # Corroboration across >= N independent observations; sanitization-gate pass; cross-context validity.
    Rise.EPISODIC_TO_SEMANTIC: ByCriteria(criteria=(Corroborated(), Sanitized(), HoldsAcrossContexts())),
    # >= 2-version persistence; non-empty surviving canonical-reference set; recurrence threshold.
    Rise.SEMANTIC_TO_META: ByCriteria(criteria=(PersistedVersions(), SurvivingReferences(), Recurring())),
    # No promotion: procedural memory is the durable form.
    Rise.PROCEDURAL: NoPromotion(),
}

CONFLICT: Final[Mapping[Typology, ConflictPolicy]] = {
    # NOOP: episodes accumulate; contradictions are themselves observations.
    Typology.EPISODIC: Accumulate(),
    # UPDATE with temporal validity: invalid_at on the old fact, valid_at on the new. Both retained for audit.
    Typology.SEMANTIC: TemporalUpdate(),
    # UPDATE with supersession: the latest preference wins; the prior is archived for audit, never hard-deleted.
    Typology.PROCEDURAL: Supersede(),
}

CONSOLIDATION: Final[Mapping[Typology, ConsolidationPolicy]] = {
    # Periodic compounding at tier boundaries; embedding-similarity dedup at promotion.
    Typology.EPISODIC: CompoundAtBoundary(),
    # LLM-based merge on contradicting or overlapping facts.
    Typology.SEMANTIC: MergeByJudge(),
    # Append-with-supersession; the latest valid preference replaces the prior in the active set.
    Typology.PROCEDURAL: AppendWithSupersession(),
}

# P12. Static budgets and priorities; transient tiers always present, the persistent tier on demand.
INJECTION: Final[Mapping[Tier, InjectionPolicy]] = {
    Tier.INTERACTION: InjectionPolicy(budget=600, priority=30, presence=Presence.ALWAYS),
    Tier.SESSION: InjectionPolicy(budget=600, priority=20, presence=Presence.ALWAYS),
    Tier.PERSISTENT: InjectionPolicy(budget=1_200, priority=10, presence=Presence.ON_DEMAND),
}
