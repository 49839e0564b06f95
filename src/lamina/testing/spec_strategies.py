"""Hypothesis strategies for policies and whole specs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from lamina.domain.agents import SHIPPED
from lamina.domain.anchor import AnchorKey, AnchorModel
from lamina.domain.cell_policy import rows_in_use
from lamina.domain.deviation import Deviation
from lamina.domain.frozen import FrozenMap
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
    Criterion,
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
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scoring import ReciprocalRank, Scoring, WeightedScore
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.spec_checks import TABLES
from lamina.domain.tier import Boundary, BoundaryKind, Tier, TierModel
from lamina.domain.typology import Typology
from lamina.testing.strategies import texts

names = st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True)
shares = st.floats(0, 1)
counts = st.integers(1, 20)
periods = st.timedeltas(timedelta(seconds=1), timedelta(days=1_000))
weights = st.floats(0, 100)

lifecycles: st.SearchStrategy[LifecyclePolicy] = st.one_of(
    st.just(DropAtScopeEnd()),
    st.builds(DisposeByForcing, within=periods),
    st.builds(TrackCorroboration, failures=counts),
    st.just(PersistIndefinitely()),
)
decays: st.SearchStrategy[DecayModel] = st.one_of(
    st.builds(ForcingFunction, half_way=periods, ceiling=st.floats(1, 100, exclude_min=True)),
    st.builds(ValidityWindow, half_life=periods),
    st.just(DecayExempt()),
)
writes: st.SearchStrategy[WritePolicy] = st.one_of(
    st.builds(AutoWrite, sampling=shares),
    st.just(ThroughPromotion()),
    st.builds(StatedOrExtracted, confidence=shares),
)
criteria: st.SearchStrategy[Criterion] = st.one_of(
    st.builds(Corroborated, at_least=counts),
    st.builds(Distinct, below=shares),
    st.just(Sanitized()),
    st.builds(HoldsAcrossContexts, at_least=counts),
    st.builds(PersistedVersions, at_least=counts),
    st.just(SurvivingReferences()),
    st.builds(Recurring, at_least=counts),
)
promotions: st.SearchStrategy[PromotionPolicy] = st.one_of(
    st.builds(ByCriteria, criteria=st.lists(criteria, min_size=1, max_size=4).map(tuple)),
    st.just(NoPromotion()),
)
conflicts: st.SearchStrategy[ConflictPolicy] = st.one_of(
    st.just(Accumulate()), st.builds(TemporalUpdate, near=shares), st.builds(Supersede, near=shares)
)
consolidations: st.SearchStrategy[ConsolidationPolicy] = st.one_of(
    st.builds(CompoundAtBoundary, same=shares),
    st.builds(MergeByJudge, overlapping=shares),
    st.just(AppendWithSupersession()),
)
injections = st.builds(
    InjectionPolicy, budget=st.integers(0, 5_000), priority=st.integers(0, 99), presence=st.sampled_from(Presence)
)
scorings: st.SearchStrategy[Scoring] = st.one_of(
    st.builds(ReciprocalRank, k=st.integers(0, 200)), st.just(WeightedScore())
)
_POLICIES: Mapping[str, st.SearchStrategy[Any]] = {
    "lifecycle": lifecycles,
    "decay": decays,
    "write": writes,
    "promotion": promotions,
    "conflict": conflicts,
    "consolidation": consolidations,
    "injection": injections,
}


@st.composite
def specs(draw: st.DrawFn) -> AgentMemorySpec:
    """Specs that hold together: any anchor, any tiers that end with the persistent one, any deviations."""
    base = draw(st.sampled_from(list(SHIPPED.values())))
    tiers = draw(st.sampled_from([list(Tier), [Tier.SESSION, Tier.PERSISTENT], [Tier.PERSISTENT]]))
    keys = draw(st.lists(names, min_size=len(tiers), max_size=len(tiers) + 2, unique=True))
    held = draw(st.fixed_dictionaries({tier: _some(Typology) for tier in tiers}))
    parts: dict[str, Any] = {
        **dict(base),
        "name": draw(names),
        "purpose": draw(texts()),
        "anchor": AnchorModel(keys=tuple(AnchorKey(name=key, nullable_across=draw(st.booleans())) for key in keys)),
        "typology": FrozenMap({tier: tuple(sorted(typologies)) for tier, typologies in held.items()}),
        "tiers": tuple(_tier(tier, keys[: len(keys) - index]) for index, tier in enumerate(tiers)),
        "retrieval": draw(_retrievals(tiers)),
        **{primitive: draw(_deviations(primitive, held)) for primitive in TABLES},
    }
    parts["persistence"] = base.persistence.model_copy(
        update={
            "schemas": FrozenMap(dict.fromkeys(tiers, "memory")),
            "canonical": base.persistence.canonical
            and base.persistence.canonical.model_copy(
                update={"anchor_columns": FrozenMap({key: key for key in parts["tiers"][-1].anchor})}
            ),
            "corroborations": True,
        }
    )
    return AgentMemorySpec(**parts)


def _some(choices: type[Typology]) -> st.SearchStrategy[frozenset[Typology]]:
    return st.frozensets(st.sampled_from(choices), min_size=1)


def _tier(tier: Tier, keys: list[str]) -> TierModel:
    ends = (Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event=f"{tier}-end"),) if tier.transient else ()
    return TierModel(tier=tier, anchor=tuple(keys), scope=f"the {tier}", boundaries=ends)


def _retrievals(tiers: list[Tier]) -> st.SearchStrategy[RetrievalModel]:
    # Lexical alone is never the field default, so a reason is always due.
    signals = st.dictionaries(st.sampled_from(Signal), weights).map(
        lambda some: FrozenMap({**some, Signal.LEXICAL: 1.0})
    )
    asked = st.dictionaries(st.sampled_from(tiers), weights, min_size=1).map(FrozenMap)
    return st.builds(RetrievalModel, signals=signals, scoring=scorings, tiers=asked, because=texts())


def _deviations(primitive: str, held: Mapping[Tier, frozenset[Typology]]) -> st.SearchStrategy[FrozenMap[Any, Any]]:
    used = rows_in_use({tier: tuple(typologies) for tier, typologies in held.items()})
    choices = {row: _deviation(primitive, default) for row, default in TABLES[primitive].items() if row in used}
    return st.fixed_dictionaries({}, optional=choices).map(FrozenMap)


def _deviation(primitive: str, default: Any) -> st.SearchStrategy[Deviation[Any]]:
    return st.builds(
        Deviation, value=_POLICIES[primitive].filter(lambda value: value != default), justification=texts()
    )
