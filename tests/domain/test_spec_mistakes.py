"""A bad spec lists every mistake at once, each naming its primitive and what would be right."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from lamina.adapters.toml.spec_files import parse_spec
from lamina.domain.agents import OPERATIONS_AGENT, WORLD_AGENT
from lamina.domain.errors import SpecError, SpecFileError
from lamina.domain.spec import AgentMemorySpec

Spoil = Callable[[dict[str, Any]], object]
GOOD: dict[str, Any] = WORLD_AGENT.model_dump(mode="json", exclude_none=True)


def mistakes(*spoils: Spoil, of: dict[str, Any] = GOOD) -> list[str]:
    data = copy.deepcopy(of)
    for spoil in spoils:
        spoil(data)
    with pytest.raises(SpecError) as caught:
        AgentMemorySpec.model_validate(data)
    return [str(mistake) for mistake in caught.value.mistakes]


def put(path: str, value: object) -> Spoil:
    """Sets `a.b.0.c`."""

    def spoil(data: Any) -> None:
        *parents, last = path.split(".")
        for part in parents:
            data = data[int(part)] if part.isdigit() else data.setdefault(part, {})
        data[int(last) if last.isdigit() else last] = value

    return spoil


def drop(name: str) -> Spoil:
    return lambda data: data.pop(name)


BLOCK = {"budget": 5, "priority": 1, "presence": "on-demand"}
EXEMPT = {"kind": "exempt"}
TRACK = {"kind": "track-corroboration", "failures": 3}
DISPOSE = {"kind": "dispose-by-forcing", "within": "P9D"}
CASES: list[tuple[str, Spoil, str]] = [
    ("an unknown key", put("decai", 1), "spec: decai is not a key of a spec; did you mean 'decay'?"),
    (
        "an unknown nested key",
        put("anchor.kees", []),
        "P1 anchor entity: anchor.kees is not a key of a spec; remove it",
    ),
    (
        "a missing primitive",
        drop("visibility"),
        "P15 visibility / access scope: visibility is missing; choose it explicitly",
    ),
    ("no keys", put("anchor.keys", []), "P1 anchor entity: anchor.keys is empty; pick the scope tuple first"),
    ("a bad name", put("anchor.keys.0.name", "Org"), "P1 anchor entity: anchor.keys[0].name 'Org' is not a name"),
    ("a key twice", put("anchor.keys.1.name", "org_id"), "P1 anchor entity: anchor.keys names org_id 2 times"),
    (
        "an unused key",
        lambda d: d["anchor"]["keys"].append({"name": "extra"}),
        "P1 anchor entity: anchor.keys extra is required by no tier",
    ),
    (
        "an empty tier",
        put("typology.session", []),
        "P2 memory typology: typology.session holds nothing; say what it holds",
    ),
    (
        "an unknown typology",
        put("typology.session.0", "mythic"),
        "P2 memory typology: typology.session[0] 'mythic' is not known; choose 'episodic'",
    ),
    (
        "an unknown tier",
        put("tiers.0.tier", "cycle"),
        "P3 tier model: tiers[0].tier 'cycle' is not known; choose 'interaction', 'session' or 'persistent'",
    ),
    (
        "persistent not last",
        lambda d: d["tiers"].reverse(),
        "P3 tier model: tiers ends with interaction, not with the persistent tier; put the persistent tier last",
    ),
    ("no persistent tier", lambda d: d["tiers"].pop(), "P3 tier model: tiers has no persistent tier; end with one"),
    (
        "tiers out of order",
        lambda d: d["tiers"].insert(0, d["tiers"].pop(1)),
        "P3 tier model: tiers stand as session, interaction, persistent",
    ),
    (
        "a key missing from a tier",
        put("tiers.0.anchor.1", "agent_session_id"),
        "P3 tier model: tiers[0].anchor lacks domain_id",
    ),
    (
        "a key of nobody",
        put("tiers.2.anchor.1", "world"),
        "P3 tier model: tiers[2].anchor names world; the anchor's keys are org_id",
    ),
    (
        "keys in another order",
        put("tiers.2.anchor", ["domain_id", "org_id"]),
        "P3 tier model: tiers[2].anchor is in another order",
    ),
    (
        "a tier without an id",
        put("tiers.0.anchor", ["org_id", "domain_id", "agent_session_id"]),
        "P3 tier model: tiers[0].anchor has 3 keys for interaction; add one key",
    ),
    (
        "a tier that never ends",
        put("tiers.1.boundaries", []),
        "P3 tier model: tiers[1].boundaries is empty for session; say which event ends",
    ),
    (
        "a persistent tier that ends",
        put("tiers.2.boundaries", [{"kind": "scope-change", "event": "x"}]),
        "P3 tier model: tiers[2].boundaries is given for the persistent tier",
    ),
    (
        "a schema missing",
        lambda d: d["persistence"]["schemas"].pop("session"),
        "P4 persistence backend: persistence.schemas.session is missing",
    ),
    (
        "a schema of its own for a tier",
        put("persistence.schemas.session", "elsewhere"),
        "P4 persistence backend: persistence.schemas.session is elsewhere, but the persistent tier is in worlds;"
        " name worlds: one table holds all tiers",
    ),
    (
        "a negative bound",
        put("persistence.body_bound", -1),
        "P4 persistence backend: persistence.body_bound -1 is not right; input should be greater than or equal to 1",
    ),
    (
        "the wrong canonical keys",
        put("persistence.canonical.anchor_columns", {"org_id": "org_id"}),
        "P4 persistence backend: persistence.canonical.anchor_columns names org_id; name org_id, domain_id",
    ),
    (
        "rules without a table",
        lambda d: d["persistence"].pop("canonical"),
        "P4 persistence backend: persistence.canonical is missing, but rule content must not be mirrored",
    ),
    (
        "corroborations needed",
        put("persistence.corroborations", False),
        "P4 persistence backend: persistence.corroborations is false, but session/episodic is promoted by",
    ),
    (
        "NaN",
        put("retrieval.signals.tags", float("nan")),
        "P5 retrieval model: retrieval.signals.tags nan is not right; input should be a finite number",
    ),
    (
        "a negative weight",
        put("retrieval.signals.tags", -1),
        "P5 retrieval model: retrieval.signals.tags -1 is not right",
    ),
    (
        "silence",
        put("retrieval.signals", {"semantic": 0, "tags": 0, "time": 0}),
        "P5 retrieval model: retrieval.signals weighs every signal 0",
    ),
    (
        "a departure without a reason",
        lambda d: d["retrieval"].pop("because"),
        "P5 retrieval model: retrieval.because is missing; say why it departs from the default",
    ),
    (
        "a reason without a departure",
        put("retrieval.signals", {"semantic": 1, "tags": 1, "time": 1}),
        "P5 retrieval model: retrieval.because justifies the field default",
    ),
    (
        "an empty justification",
        put("decay.semantic.justification", " "),
        "P7 time decay model: decay.semantic.justification has nothing visible in it; say it in words",
    ),
    (
        "a deviation to the default",
        put("lifecycle.semantic", {"value": TRACK, "justification": "x"}),
        "P6 lifecycle / retention: lifecycle.semantic deviates to the default; remove it",
    ),
    (
        "a deviation of nothing",
        put("lifecycle.episodic-persistent", {"value": DISPOSE, "justification": "x"}),
        "P6 lifecycle / retention: lifecycle.episodic-persistent governs nothing that this agent holds",
    ),
    (
        "an unknown kind",
        put("decay.semantic.value.kind", "rot"),
        "P7 time decay model: decay.semantic.value has no known kind (rot); choose one of 'forcing-function'",
    ),
    (
        "no kind",
        put("decay.semantic.value", {}),
        "P7 time decay model: decay.semantic.value has no known kind (none given)",
    ),
    (
        "an unknown row",
        put("decay.mythic", {"value": EXEMPT, "justification": "x"}),
        "P7 time decay model: decay.mythic 'mythic' is not known; choose 'episodic-transient'",
    ),
    (
        "a schema of no tier",
        lambda d: d["tiers"].pop(0),
        "P4 persistence backend: persistence.schemas.interaction is not one of the tiers; remove it",
    ),
    (
        "a search in no tier",
        lambda d: d["tiers"].pop(0),
        "P5 retrieval model: retrieval.tiers.interaction is not one of the tiers; remove it",
    ),
    (
        "a typology of no tier",
        lambda d: d["tiers"].pop(0),
        "P2 memory typology: typology.interaction is not one of the tiers; the tiers are persistent, session",
    ),
    (
        "a forcing function that does not force",
        put("decay.semantic.value.ceiling", 1),
        "P7 time decay model: decay.semantic.value.ceiling 1 is not right; input should be greater than 1",
    ),
    (
        "no time at all",
        put("decay.semantic.value.half_way", "PT0S"),
        "P7 time decay model: decay.semantic.value.half_way 'PT0S' is not right",
    ),
    (
        "a key called like a column",
        put("tiers.2.anchor.1", "tags"),
        "P1 anchor entity: anchor.keys tags is a column of every memory table; call it otherwise",
    ),
    (
        "a negative budget",
        put("injection.session", {"value": BLOCK | {"budget": -5}, "justification": "x"}),
        "P12 injection semantics + token budget: injection.session.value.budget -5 is not",
    ),
    (
        "an empty non-mirror list",
        put("reference_only.non_mirror", []),
        "P13 reference-only invariants: reference_only.non_mirror [] is not right",
    ),
    (
        "a category twice",
        lambda d: d["reference_only"]["non_mirror"].append(d["reference_only"]["non_mirror"][0]),
        "P13 reference-only invariants: reference_only.non_mirror names rule-content 2 times",
    ),
    (
        "no crossing effect",
        put("sanitization.0.effect", ""),
        "P14 sanitization gates: sanitization[0].effect has nothing visible in it",
    ),
    (
        "a misspelt gate",
        put("sanitization.1.gate", "hedge-by-provenence"),
        "P14 sanitization gates: sanitization[1].gate 'hedge-by-provenence' is almost a gate; did you mean",
    ),
    (
        "a gate that is no name",
        put("sanitization.1.gate", "Hedge!"),
        "P14 sanitization gates: sanitization[1].gate 'Hedge!' is not a name; use a-z, 0-9 and -",
    ),
    (
        "a reader twice",
        lambda d: d["visibility"]["access"].append(d["visibility"]["access"][0]),
        "P15 visibility / access scope: visibility.access names owner 2 times",
    ),
    ("an exemption from audit", put("audit", "none"), "spec: audit 'none' is not known; choose 'universal'"),
]


@pytest.mark.parametrize(("spoil", "says"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_mistake_names_its_primitive_and_what_would_be_right(spoil: Spoil, says: str) -> None:
    found = mistakes(spoil)
    assert any(mistake.startswith(says) for mistake in found), found


def test_all_mistakes_at_once_in_the_order_of_the_primitives() -> None:
    found = mistakes(
        put("reference_only.non_mirror", []),
        put("decay.semantic.justification", ""),
        put("lifecycle.semantic", {"value": TRACK, "justification": "x"}),
        lambda data: data["tiers"].reverse(),
        put("anchor.keys.1.name", "org_id"),
        put("nonsense", True),
    )
    primitives = [mistake.split(":")[0].split()[0] for mistake in found]
    assert primitives == sorted(primitives, key=lambda name: -1 if name == "spec" else int(name[1:]))
    assert {"spec", "P1", "P3", "P6", "P7", "P13"} <= set(primitives)


def test_another_scoring_is_a_departure_too() -> None:
    plain = {"signals": {"semantic": 1, "tags": 1, "time": 1}, "tiers": {"session": 1}}
    assert mistakes(put("retrieval", plain | {"scoring": {"kind": "weighted-score"}})) == [
        "P5 retrieval model: retrieval.because is missing; say why it departs from the default (semantic, tags and "
        "time alike, RRF k=60, BAAI/bge-small-en-v1.5)"
    ]


def test_one_broken_row_does_not_hide_the_mistakes_of_the_others() -> None:
    found = mistakes(
        put("lifecycle.semantic", {"value": TRACK, "justification": "x"}),
        put("lifecycle.procedural", {"value": {"kind": "track-corroboration", "failures": 0}, "justification": "x"}),
    )
    assert [mistake.split("; ")[0] for mistake in found] == [
        "P6 lifecycle / retention: lifecycle.procedural.value.failures 0 is not right",
        "P6 lifecycle / retention: lifecycle.semantic deviates to the default",
    ]


def test_a_spec_built_in_python_is_checked_alike() -> None:
    parts = dict(OPERATIONS_AGENT) | {"tiers": OPERATIONS_AGENT.tiers[:1]}
    with pytest.raises(SpecError, match="P3 tier model: tiers has no persistent tier"):
        AgentMemorySpec(**parts)


def test_a_good_spec_has_no_mistakes() -> None:
    assert AgentMemorySpec.model_validate(copy.deepcopy(GOOD)) == WORLD_AGENT


@pytest.mark.parametrize("data", [None, [], "world_agent", 7])
def test_what_is_no_table_is_no_spec(data: object) -> None:
    with pytest.raises(SpecError, match="spec 'without a name' has 1 mistake"):
        AgentMemorySpec.model_validate(data)


def test_broken_toml_says_where() -> None:
    with pytest.raises(SpecFileError, match=r"is not TOML: .*line 1"):
        parse_spec("name = nonsense")
