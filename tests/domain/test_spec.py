"""The shipped specs, and what every spec keeps its promise of."""

import json
import pickle
from datetime import datetime
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given, settings

from lamina.adapters.toml.spec_files import new_spec, parse_spec, render_spec
from lamina.domain import defaults
from lamina.domain.agents import ASSISTANT_AGENT, OPERATIONS_AGENT, SHIPPED, WORLD_AGENT
from lamina.domain.cell_policy import rows_in_use
from lamina.domain.defaults import Rise, Row
from lamina.domain.deviation import Deviation
from lamina.domain.discipline import Calibration
from lamina.domain.errors import SpecError, TextTooLong
from lamina.domain.frozen import Frozen, FrozenMap
from lamina.domain.policies.decay import DecayExempt, ForcingFunction, Standing, ValidityWindow
from lamina.domain.policies.lifecycle import TrackCorroboration
from lamina.domain.primitives import BY_FIELD, PRIMITIVES
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.spec_checks import TABLES
from lamina.domain.spec_table import Basis, spec_table
from lamina.domain.tier import Tier
from lamina.domain.typology import CELLS, Cell, Typology
from lamina.testing.spec_strategies import specs

shipped = pytest.mark.parametrize("spec", SHIPPED.values(), ids=list(SHIPPED))
FACTS = Cell(Tier.PERSISTENT, Typology.SEMANTIC)


@shipped
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_every_cell_of_every_shipped_spec_resolves(spec: AgentMemorySpec, cell: Cell) -> None:
    policy = spec.resolve(cell)
    assert policy.produced == (cell.typology in spec.typology[cell.tier])
    assert all(
        part.words
        for part in (
            policy.lifecycle,
            policy.decay,
            policy.write,
            policy.conflict,
            policy.consolidation,
            policy.injection,
        )
    )


def test_between_them_every_row_of_every_table_is_used() -> None:
    used = {Basis.DEFAULT: set[tuple[str, str]](), Basis.DEVIATION: set[tuple[str, str]]()}
    for spec in SHIPPED.values():
        for entry in spec_table(spec):
            if entry.basis in used:
                used[entry.basis].add((entry.primitive, entry.subject))
    rows = {(str(BY_FIELD[field]), row) for field, table in TABLES.items() for row in table}
    assert rows <= used[Basis.DEFAULT]


@settings(max_examples=60, deadline=None)
@given(specs())
def test_a_spec_survives_toml_json_and_pickle(spec: AgentMemorySpec) -> None:
    assert parse_spec(render_spec(spec)) == spec
    assert AgentMemorySpec.model_validate_json(spec.model_dump_json()) == spec
    assert AgentMemorySpec.model_validate(json.loads(spec.model_dump_json(exclude_none=True))) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(spec) == hash(parse_spec(render_spec(spec)))


@settings(max_examples=60, deadline=None)
@given(specs())
def test_every_cell_of_every_spec_resolves_to_its_default_or_deviation(spec: AgentMemorySpec) -> None:
    for cell in CELLS:
        policy, row, path = spec.resolve(cell), defaults.row_of(cell), spec.resolve(cell).promotion
        chosen: list[tuple[str, Any, Any]] = [
            ("lifecycle", row, policy.lifecycle),
            ("decay", row, policy.decay),
            ("write", cell.typology, policy.write),
            ("conflict", cell.typology, policy.conflict),
            ("consolidation", cell.typology, policy.consolidation),
            ("injection", cell.tier, policy.injection),
            *([("promotion", path.rise, path.rule)] if path else []),
        ]
        for primitive, key, value in chosen:
            deviations = getattr(spec, primitive)
            assert value == (deviations[key].value if key in deviations else TABLES[primitive][key])
        assert cell.tier not in spec.blocks or spec.blocks[cell.tier] == policy.injection
        assert path is None or path.target.typology in spec.typology.get(path.target.tier, ()) or path.target == cell


@shipped
def test_the_table_has_every_primitive_in_order(spec: AgentMemorySpec) -> None:
    named = [entry.primitive for entry in spec_table(spec)]
    order = list(dict.fromkeys(named))
    assert order[:15] == [str(primitive) for primitive in PRIMITIVES]
    assert all(entry.why for entry in spec_table(spec) if entry.basis is Basis.DEVIATION)


def test_the_template_is_a_spec() -> None:
    spec = parse_spec(new_spec("a_new_agent"))
    assert spec.name == "a_new_agent"
    assert rows_in_use(spec.typology) >= {*Row, *Rise}


def test_the_deviations_that_the_template_offers_are_right() -> None:
    template = new_spec("my_agent")
    offered = template[template.index("# [lifecycle.semantic]") : template.index("# -- Discipline")]
    spec = parse_spec(template + "\n".join(line.removeprefix("# ").removeprefix("#") for line in offered.splitlines()))
    deviations = [entry for entry in spec_table(spec) if entry.basis is Basis.DEVIATION]
    assert len(deviations) == 8


class TestWorldAgent:
    def test_is_anchored_on_organisation_and_domain(self) -> None:
        assert WORLD_AGENT.persistent_anchor.names == ("org_id", "domain_id")

    def test_leans_to_the_semantic(self) -> None:
        assert WORLD_AGENT.typology[Tier.PERSISTENT] == (Typology.SEMANTIC, Typology.PROCEDURAL)
        assert not WORLD_AGENT.resolve(Cell(Tier.PERSISTENT, Typology.EPISODIC)).produced

    def test_presses_on_facts_by_a_declared_deviation(self) -> None:
        assert isinstance(WORLD_AGENT.resolve(FACTS).decay, ForcingFunction)
        assert "episodic-persistent default" in WORLD_AGENT.decay[Row.SEMANTIC].justification

    def test_promotes_sessions_to_facts(self) -> None:
        session = WORLD_AGENT.resolve(Cell(Tier.SESSION, Typology.EPISODIC)).promotion
        assert session is not None
        assert (session.rise, session.target) == (Rise.EPISODIC_TO_SEMANTIC, FACTS)
        turn = WORLD_AGENT.resolve(Cell(Tier.INTERACTION, Typology.EPISODIC)).promotion
        assert turn is not None
        assert turn.target == Cell(Tier.SESSION, Typology.EPISODIC)

    def test_registers_retention_for_its_persistent_tier_only(self) -> None:
        policy = WORLD_AGENT.retention()
        assert policy.owner == "worlds"
        assert list(policy.lifecycles) == [Typology.SEMANTIC, Typology.PROCEDURAL]
        assert isinstance(policy.lifecycles[Typology.SEMANTIC], TrackCorroboration)
        assert isinstance(policy.decays[Typology.SEMANTIC], ValidityWindow), "retrieval deviates, retention does not"

    def test_has_the_guard_as_primary_defence(self) -> None:
        assert WORLD_AGENT.reference_only.leak_defence.calibration is Calibration.PRIMARY


def test_operations_weighs_recency_above_similarity() -> None:
    signals = OPERATIONS_AGENT.retrieval.signals
    assert signals[Signal.TIME] > signals[Signal.SEMANTIC]
    assert not OPERATIONS_AGENT.persistence.corroborations
    assert not OPERATIONS_AGENT.persistence.contradictions
    assert OPERATIONS_AGENT.reference_only.leak_defence.calibration is Calibration.BACKSTOP


def test_the_assistants_episodes_persist_and_become_facts() -> None:
    episodes = ASSISTANT_AGENT.resolve(Cell(Tier.PERSISTENT, Typology.EPISODIC))
    assert isinstance(episodes.decay, ForcingFunction)
    assert episodes.promotion is not None
    assert episodes.promotion.target == FACTS
    assert isinstance(ASSISTANT_AGENT.resolve(FACTS).decay, ValidityWindow)
    turn = ASSISTANT_AGENT.resolve(Cell(Tier.INTERACTION, Typology.EPISODIC)).promotion
    assert turn is not None
    assert turn.target == Cell(Tier.SESSION, Typology.EPISODIC), "one tier at a time"


def test_a_body_is_bounded_by_the_spec() -> None:
    assert WORLD_AGENT.checked_body("x" * 2_000)
    with pytest.raises(TextTooLong, match="body has 2,001 characters, 2,000 is the bound"):
        WORLD_AGENT.checked_body("x" * 2_001)
    assert ASSISTANT_AGENT.checked_body("x" * 4_000)


def deviating(decay: Any) -> AgentMemorySpec:
    deviation = Deviation[Any](value=decay, justification="demand is seasonal")
    return WORLD_AGENT.model_copy(update={"decay": FrozenMap({Row.SEMANTIC: deviation})})


class Seasonal(Frozen):
    """A policy of a user's own."""

    words: ClassVar[str] = "sleeps in winter"
    kind: Literal["seasonal"] = "seasonal"

    def weight(self, standing: Standing, now: datetime) -> float:
        return 0.5 if now.month in (12, 1, 2) else 1.0


def test_any_object_that_honours_the_protocol_is_a_policy() -> None:
    spec = deviating(Seasonal())
    assert spec.resolve(FACTS).decay == Seasonal()
    assert json.loads(spec.model_dump_json())["decay"]["semantic"]["value"] == {"kind": "seasonal"}


def test_a_policy_that_is_no_declared_data_is_at_least_named() -> None:
    class Plain:
        words = "does as it likes"

        def weight(self, standing: Standing, now: datetime) -> float:
            return 1.0

    assert json.loads(deviating(Plain()).model_dump_json())["decay"]["semantic"]["value"] == {"kind": "Plain"}


def test_a_class_is_not_a_policy() -> None:
    with pytest.raises(SpecError, match="P7 time decay model: decay.semantic.value"):
        deviating(ValidityWindow)


def test_a_copy_is_checked_like_any_other_spec() -> None:
    with pytest.raises(SpecError, match="P3 tier model: tiers has no persistent tier"):
        WORLD_AGENT.model_copy(update={"tiers": WORLD_AGENT.tiers[:1]})
    assert WORLD_AGENT.model_copy() == WORLD_AGENT


def test_two_specs_of_the_same_choices_are_equal() -> None:
    assert AgentMemorySpec(**dict(WORLD_AGENT)) == WORLD_AGENT
    assert DecayExempt() == DecayExempt()
