"""One agent's memory as one declared, checked parameterization of the fifteen primitives.

Foundational and discipline primitives are explicit. A behavioural primitive is the typology's default from `defaults`,
or a `Deviation` that says why. `resolve()` gives each (tier, typology) cell its policies; the library reads those.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any, Literal, NoReturn, Self, TypeVar

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator

from lamina.domain import defaults
from lamina.domain.anchor import AnchorModel
from lamina.domain.cell_policy import CellPolicy, PromotionPath, rise_from
from lamina.domain.defaults import Rise, Row, row_of
from lamina.domain.deviation import Deviation
from lamina.domain.discipline import Crossing, ReferenceOnly, VisibilityModel
from lamina.domain.errors import Mistake, SpecError
from lamina.domain.frozen import Count, Frozen, FrozenMap, Name, Words
from lamina.domain.persistence import Persistence
from lamina.domain.policies.conflict import Conflict
from lamina.domain.policies.consolidation import Consolidation
from lamina.domain.policies.decay import Decay
from lamina.domain.policies.injection import InjectionPolicy
from lamina.domain.policies.lifecycle import Lifecycle
from lamina.domain.policies.promotion import Promotion, PromotionPolicy
from lamina.domain.policies.write import Write
from lamina.domain.retention import RetentionPolicy
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.spec_checks import mistakes_between
from lamina.domain.spec_reading import mistakes_of, readable_parts
from lamina.domain.stm import Identity
from lamina.domain.text import checked_text
from lamina.domain.tier import BoundaryKind, Tier, TierModel
from lamina.domain.trust import Trust
from lamina.domain.typology import CELLS, Cell, Typology

K = TypeVar("K")
P = TypeVar("P")


class EventMemory(Frozen):
    """C: the perfect log with its derived layers, for an agent that has one."""

    window: Count = 100
    """How many loop summaries short-term memory holds."""
    identity: Identity = Identity()
    interrupted_after_seconds: Annotated[float, Field(ge=0)] = 3_600.0
    """A loop in which nothing has happened for so long is taken for dead, and closed."""

    @property
    def interrupted_after(self) -> timedelta:
        """The same as a duration."""
        return timedelta(seconds=self.interrupted_after_seconds)


class AgentMemorySpec(Frozen):
    """What an agent's memory is. The fields stand in the order in which they are worked."""

    name: Name
    purpose: Words
    anchor: AnchorModel
    typology: FrozenMap[Tier, tuple[Typology, ...]]
    tiers: Annotated[tuple[TierModel, ...], Field(min_length=1)]
    persistence: Persistence
    retrieval: RetrievalModel
    lifecycle: FrozenMap[Row, Deviation[Lifecycle]] = FrozenMap()
    decay: FrozenMap[Row, Deviation[Decay]] = FrozenMap()
    write: FrozenMap[Typology, Deviation[Write]] = FrozenMap()
    promotion: FrozenMap[Rise, Deviation[Promotion]] = FrozenMap()
    conflict: FrozenMap[Typology, Deviation[Conflict]] = FrozenMap()
    consolidation: FrozenMap[Typology, Deviation[Consolidation]] = FrozenMap()
    injection: FrozenMap[Tier, Deviation[InjectionPolicy]] = FrozenMap()
    reference_only: ReferenceOnly
    sanitization: tuple[Crossing, ...]
    visibility: VisibilityModel
    trust: Trust = Trust()
    """Which sources count towards a promotion."""
    audit: Literal["universal"] = "universal"
    """The universal audit posture (see audit). No exemption exists."""
    event_memory: EventMemory | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _whole(cls, data: Any, read: ModelWrapValidatorHandler[AgentMemorySpec]) -> AgentMemorySpec:
        """Every mistake at once: those of the parts, and those between whatever parts can be read."""
        try:
            spec = read(data)
        except ValidationError as error:
            parts = readable_parts(cls, data, error)
            _raise(parts, [*mistakes_of(cls, data, error), *mistakes_between(parts)])
        mistakes = mistakes_between(dict(spec))
        if mistakes:
            _raise({"name": spec.name}, mistakes)
        return spec

    @property
    def persistent_anchor(self) -> AnchorModel:
        """The keys that the persistent tier is anchored on: what survives a session."""
        names = self.tiers[-1].anchor
        return AnchorModel(keys=tuple(key for key in self.anchor.keys if key.name in names))

    @property
    def blocks(self) -> dict[Tier, InjectionPolicy]:
        """Each tier's block of the prompt."""
        return {model.tier: _chosen(self.injection, defaults.INJECTION, model.tier) for model in self.tiers}

    @property
    def fact_criteria(self) -> PromotionPolicy:
        """What an episode needs to become a fact."""
        return _chosen(self.promotion, defaults.PROMOTION, Rise.EPISODIC_TO_SEMANTIC)

    def boundaries(self, tier: Tier) -> frozenset[BoundaryKind]:
        """The kinds of boundary that a tier has."""
        return frozenset(one.kind for model in self.tiers if model.tier is tier for one in model.boundaries)

    def crosses(self, gate: str) -> bool:
        """Whether one of its crossings has this gate."""
        return any(crossing.gate == gate for crossing in self.sanitization)

    def resolve(self, cell: Cell) -> CellPolicy:
        """What governs a cell. Every cell has an answer, also one that this agent does not produce (D4)."""
        return self._cells[cell]

    def retention(self) -> RetentionPolicy:
        """What the persistent tier registers (D12). Transient tiers register none."""
        held = [Cell(Tier.PERSISTENT, typology) for typology in self.typology[Tier.PERSISTENT]]
        lifecycles = FrozenMap({cell.typology: self.resolve(cell).lifecycle for cell in held})
        decays = FrozenMap({cell.typology: defaults.DECAY[row_of(cell)] for cell in held})
        return RetentionPolicy(self.visibility.owner, self.name, lifecycles, decays)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:  # noqa: ARG002
        """The spec with some choices made otherwise, checked like any other."""
        return type(self)(**{**dict(self), **(update or {})})

    def checked_body(self, body: str) -> str:
        """The body itself, if this agent's memory can hold it."""
        return checked_text(body, "body", at_most=self.persistence.body_bound)

    @cached_property
    def _cells(self) -> dict[Cell, CellPolicy]:
        return {cell: self._resolved(cell) for cell in CELLS}

    def _resolved(self, cell: Cell) -> CellPolicy:
        row, typology = row_of(cell), cell.typology
        return CellPolicy(
            cell=cell,
            produced=typology in self.typology.get(cell.tier, ()),
            lifecycle=_chosen(self.lifecycle, defaults.LIFECYCLE, row),
            decay=_chosen(self.decay, defaults.DECAY, row),
            write=_chosen(self.write, defaults.WRITE, typology),
            promotion=self._path(cell),
            conflict=_chosen(self.conflict, defaults.CONFLICT, typology),
            consolidation=_chosen(self.consolidation, defaults.CONSOLIDATION, typology),
            injection=_chosen(self.injection, defaults.INJECTION, cell.tier),
        )

    def _path(self, cell: Cell) -> PromotionPath | None:
        rise = rise_from(cell, self.typology)
        return rise and PromotionPath(*rise, _chosen(self.promotion, defaults.PROMOTION, rise[0]))


def _chosen(deviations: Mapping[K, Deviation[P]], table: Mapping[K, P], row: K) -> P:
    return deviations[row].value if row in deviations else table[row]


def _raise(parts: Mapping[str, Any], mistakes: list[Mistake]) -> NoReturn:
    order = list(AgentMemorySpec.model_fields)
    mistakes.sort(key=lambda mistake: order.index(mistake.field) if mistake.field in order else -1)
    raise SpecError(str(parts.get("name", "without a name")), tuple(mistakes))
