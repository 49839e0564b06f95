"""Whatever is written goes through the gates in order; a refusal says which, why, and what it was compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.adapters.sources.local import LocalSource
from lamina.domain.anchor import Anchor
from lamina.domain.corroboration import SourceType
from lamina.domain.discipline import Canonical, OnMatch
from lamina.domain.errors import UnknownKey
from lamina.domain.refusal import Refusal
from lamina.domain.text import folded
from lamina.domain.tier import Tier
from lamina.testing.contracts.canonical_rules import BODY, LONG, PADDING

ROW = "2026-03-01 09:14 operator 7 approved change set 19 for domain kyc after review by operator 3"
SIGNAL = "Override pattern: the branch office accepts passports whose machine readable zone fails its check digit"
SCAN = "Scan 44 of the corpus listed rule gaps in sanctions screening, politically exposed persons and dormant accounts"
THOUGHTS = [
    "Operator 7 approves quickly when operator 3 has reviewed before",
    "The override looks like a habit of one branch office, not like a policy",
    "Most gaps of the last scan are about sanctions",
]
CLAIM = lamina.Claim("gate", "requires", "citations")


class Watch:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def refused(self, verb: str, anchor: Anchor, refusals: Sequence[Refusal]) -> None:
        self.told += [(verb, one.rule) for one in refusals]


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def guarded(url: str, watch: Watch) -> Iterator[lamina.Memory]:
    audit, signals, scans = (
        LocalSource(category) for category in ("audit-chain", "signal-bodies", Canonical.SCAN_ARTIFACTS)
    )
    audit.add([("audit row 12", ROW)])
    signals.add([("signal 3", SIGNAL)])
    scans.add([("scan 44", SCAN)])
    with lamina.open(url, lamina.WORLD_AGENT, EMBEDDER, sources=[audit, signals, scans], surface=watch) as memory:
        yield memory


@pytest.fixture
def world(guarded: lamina.Memory) -> lamina.AnchoredMemory:
    return guarded.at(org_id="acme", domain_id="kyc")


@pytest.mark.parametrize(
    ("text", "category", "told"),
    [
        (ROW, "audit-chain", ("audit row 12 (word for word)", "an action link")),
        (f"In the trail: {ROW}!", "audit-chain", ("audit row 12 (all of it)", "an action link")),
        (SIGNAL.replace("fails", "failed"), "signal-bodies", ("signal 3 (similarity 0.", "signal's own id")),
        (SCAN.upper(), "scan-artifacts", ("scan 44 (word for word)", "the scan artifact's own id")),
        ("Ann is at ann@example.org", "personal-data", ("email address at character 10", "customer record's own id")),
    ],
)
def test_what_is_not_to_be_mirrored_is_refused_by_every_verb(
    world: lamina.AnchoredMemory, watch: Watch, text: str, category: str, told: tuple[str, str]
) -> None:
    with world.session() as session:
        thought = session.observe(THOUGHTS[0])
        outcomes = [
            session.observe(text),
            session.observe("A label says it", tags={"said": text}),
            *session.observe_many([lamina.Observation(text)]),
            session.propose(text, because=[thought.id]),
            session.prefer(text),
            world.propose(text, because=[thought.id], claim=CLAIM),
            world.prefer("As it says there", claim=lamina.Claim("operator 7", "said", text)),
            world.plan().prefer(text),
        ]
    assert {outcome.decision for outcome in outcomes} == {lamina.Decision.REFUSED}
    assert {outcome.rule for outcome in outcomes} == {category}
    assert all(words in outcomes[place].reason for place in (0, 2, 3, 4) for words in told)
    assert {rule for _, rule in watch.told} == {category}
    assert {verb for verb, _ in watch.told} == {"observe", "propose", "prefer"}
    assert world.recall(text, limit=50) == []


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (f"because of this: {ROW}", "audit-chain"),
        ("as ann@example.org said", "personal-data"),
        (BODY, "rule-shadow"),
        (f"{PADDING} {BODY} {PADDING}", "rule-containment"),
    ],
)
def test_what_is_kept_beside_a_record_is_no_way_round(
    world: lamina.AnchoredMemory, watch: Watch, words: str, rule: str
) -> None:
    world.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=7), "v1"), BODY)])
    one, other = (world.prefer(f"Cite the {page} page").id for page in ("first", "last"))
    world.contradict(one, other=other, note="which page?")
    (doubt,) = world.contradictions("open")
    (granted, *_) = world.history(one)[0].decisions
    source = lamina.Source(SourceType.OPERATOR_INPUT, UUID(int=1))
    outcomes = [
        world.corroborate(one, source, notes=words),
        world.contradict(one, other=other, note=words),
        world.move_contradiction(doubt.id, "surfaced_to_operator", words),
        world.archive(one, reason=words),
        world.exempt(one, reason=words),
        world.invalidate(one, reason=words),
        world.erase(one, reason=words),
        world.undo(granted.id, reason=words),
    ]
    if len(words) <= 200:
        outcomes.append(world.link_action("rule promotion", words, [one]))
    assert {(outcome.decision, outcome.rule) for outcome in outcomes} == {(lamina.Decision.REFUSED, rule)}
    assert [told for _, told in watch.told] == [rule] * len(outcomes)
    assert [known.id for known in world.contradictions("open")] == [doubt.id]
    told = [entry.outcome.reason for chapter in world.history(one) for entry in chapter.decisions]
    assert not any(words in reason for reason in told)


def test_an_agent_writes_only_what_its_tiers_hold(urls: Urls) -> None:
    """D4: the schema takes every cell, and the gateway those of the spec."""
    typology = {**lamina.WORLD_AGENT.typology, Tier.PERSISTENT: (lamina.Typology.SEMANTIC,)}
    spec = lamina.WORLD_AGENT.model_copy(update={"typology": typology})
    with lamina.open(urls(lamina.WORLD_AGENT), spec, EMBEDDER) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        refused = kyc.prefer("Cite the first page")
        assert (refused.decision, refused.rule) == (lamina.Decision.REFUSED, "typology")
        assert refused.reason == "the persistent tier of world_agent holds semantic, not procedural memory"
        with kyc.session() as session:
            seen = session.observe("The gate asked for citations")
            assert (
                session.propose("The gate wants citations", because=[seen.id]).decision is not lamina.Decision.REFUSED
            )


def test_reasoning_about_records_is_admitted(world: lamina.AnchoredMemory, watch: Watch) -> None:
    with world.session() as session:
        outcomes = session.observe_many([lamina.Observation(thought) for thought in THOUGHTS])
        assert {outcome.decision for outcome in outcomes} == {lamina.Decision.ADD}
    assert watch.told == []


def test_refused_ones_do_not_take_the_others_along(world: lamina.AnchoredMemory) -> None:
    world.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=7), "v1"), BODY)])
    texts = [THOUGHTS[0], ROW, BODY, "mail ann@example.org", f"{PADDING} {BODY} {PADDING}", THOUGHTS[1]]
    with world.session() as session:
        outcomes = session.observe_many([lamina.Observation(text) for text in texts])
        assert [outcome.rule for outcome in outcomes] == [
            None,
            "audit-chain",
            "rule-shadow",
            "personal-data",
            "rule-containment",
            None,
        ]
        assert {hit.record.body for hit in world.recall("operator override branch", limit=50)} == set(THOUGHTS[:2])


def test_containment_has_its_name_and_says_what_it_compared_with(world: lamina.AnchoredMemory) -> None:
    known = lamina.RuleRef(UUID(int=9), "v3")
    world.add_rules([lamina.Rule(known, LONG)])
    with world.session() as session:
        thought = session.observe(THOUGHTS[0])
        for outcome in (
            session.observe(LONG[: len(LONG) // 2]),
            session.propose(LONG[: len(LONG) // 2], because=[thought.id]),
            session.prefer(LONG[: len(LONG) // 2]),
        ):
            assert (outcome.decision, outcome.rule) == (lamina.Decision.REFUSED, "rule-containment")
            assert f"of the phrases of rule {known.rule_id} version v3; rule-content is not copied" in outcome.reason


def test_gates_are_asked_in_order(url: str) -> None:
    audit = LocalSource("audit-chain")
    audit.add([("row", f"{ROW} ann@example.org")])
    asked: list[str] = []

    class Asked(LocalSource):
        def near(self, anchor: Anchor, texts: Sequence[str]) -> Any:
            asked.extend(texts)
            return super().near(anchor, texts)

    never = Asked("signal-bodies")
    with lamina.open(url, lamina.WORLD_AGENT, EMBEDDER, sources=[audit, never]) as memory:
        at = memory.at(org_id="acme", domain_id="kyc")
        # Write policy comes before everything: a guess is refused before any source is asked about it.
        assert at.prefer(f"{ROW} ann@example.org", confidence=0.1).rule == "write-policy"
        assert asked == []
        # A record comes before personal data, and the first refusal is the one that is told.
        assert at.prefer(f"{ROW} ann@example.org").rule == "audit-chain"
        assert asked == []


def test_an_echo_is_refused_by_its_gate_and_a_copy_by_the_one_before(world: lamina.AnchoredMemory) -> None:
    rule = lamina.Rule(lamina.RuleRef(UUID(int=7), "v1"), BODY)
    with world.session() as session, session.interaction() as turn:
        shown = turn.observe("The gate wants a citation of an authoritative source for each claim")
        copy = turn.observe(BODY)
        assert copy.decision is lamina.Decision.ADD, "no rule says it yet"
        resources = world._resources
        with resources.store.unit(world.anchor) as unit:
            unit.injections.add(session.id, [shown.id, copy.id], resources.clock.now())
        world.add_rules([rule])
        echoes = turn.observe_many(
            [
                lamina.Observation("the gate wants a citation of an authoritative source for each claim."),
                lamina.Observation("The gate wants no citation of an authoritative source for each claim"),
                lamina.Observation(BODY),
            ]
        )
        assert [outcome.rule for outcome in echoes] == ["echo", None, "rule-shadow"]
        assert f"it repeats {shown.id}, which this session was shown" in echoes[0].reason
        assert session.observe("The gate wants a citation of an authoritative source for each claim").rule == "echo"
        guess = session.prefer("The gate wants a citation of an authoritative source for each claim", confidence=0.99)
        assert guess.rule == "echo"
        world.archive(copy.id, reason="a rule says it now")
    with world.session() as another:
        outcome = another.observe("The gate wants a citation of an authoritative source for each claim")
        assert outcome.decision is lamina.Decision.ADD, "another session was not shown it"


def test_personal_data_is_redacted_where_the_spec_says_so(urls: Urls) -> None:
    entries = tuple(
        entry.model_copy(update={"on_match": OnMatch.REDACT}) if entry.category is Canonical.PERSONAL_DATA else entry
        for entry in lamina.WORLD_AGENT.reference_only.non_mirror
    )
    spec = lamina.WORLD_AGENT.model_copy(
        update={"reference_only": lamina.WORLD_AGENT.reference_only.model_copy(update={"non_mirror": entries})}
    )
    with lamina.open(urls(lamina.WORLD_AGENT), spec, EMBEDDER) as memory:
        at = memory.at(org_id="acme", domain_id="kyc")
        with at.session() as session:
            outcome = session.observe("Ann (ann@example.org, +1 415 555 2671) asked for her file")
            assert outcome.decision is lamina.Decision.ADD
            assert outcome.reason == "observed in the session; email address and phone number redacted"
            (hit,) = at.recall("asked for her file")
            assert hit.record.body == "Ann ([email address], [phone number]) asked for her file"
            fact = session.propose("Ann's address is ann@example.org", because=[outcome.id])
            assert "email address redacted" in fact.reason
            labelled = session.observe("Ann called", tags={"from": "+1 415 555 2671"})
            assert labelled.rule == "personal-data", "a label is refused: it would say nothing any more"
        assert at.recall("ann@example.org") == [
            hit for hit in at.recall("ann@example.org") if "@" not in hit.record.body
        ]


def test_another_agents_memory_is_asked_and_not_copied(urls: Urls) -> None:
    with (
        lamina.open(urls(lamina.ASSISTANT_AGENT), embedder=EMBEDDER) as other,
        lamina.open(
            urls(lamina.WORLD_AGENT),
            lamina.WORLD_AGENT,
            EMBEDDER,
            sources=[other.as_source(lambda keys: {"user_id": keys["org_id"]} if keys["org_id"] == "acme" else None)],
        ) as memory,
    ):
        other.at(user_id="acme").prefer("Acme wants every report on one page, with the totals first and no appendix")
        with memory.at(org_id="acme", domain_id="kyc").session() as session:
            copy = session.observe("acme wants every report on one page with the totals first, and no appendix")
            assert (copy.decision, copy.rule) == (lamina.Decision.REFUSED, "other-agent-memory")
            assert "of assistant_agent (word for word)" in copy.reason
            assert "a question to the agent that owns it" in copy.reason
            assert session.observe("Reports of one page are read to the end").decision is lamina.Decision.ADD
        with memory.at(org_id="other", domain_id="kyc").session() as session:
            told = session.observe("acme wants every report on one page with the totals first, and no appendix")
            assert told.decision is lamina.Decision.ADD, "nothing goes with that anchor"


def test_what_is_compared_with_nothing_is_told(guarded: lamina.Memory, memory: lamina.Memory) -> None:
    assert guarded.unguarded == (Canonical.OTHER_AGENT_MEMORY,)
    assert set(memory.unguarded) == {
        Canonical.AUDIT_CHAIN,
        Canonical.SIGNAL_BODIES,
        Canonical.OTHER_AGENT_MEMORY,
        Canonical.SCAN_ARTIFACTS,
    }


def test_a_source_that_is_not_on_the_list_is_an_error() -> None:
    with pytest.raises(UnknownKey, match="is not on the non-mirror list of assistant_agent"):
        lamina.open(":memory:", lamina.ASSISTANT_AGENT, EMBEDDER, sources=[LocalSource("audit-chain")])


def test_disguises_do_not_help(world: lamina.AnchoredMemory) -> None:
    with world.session() as session:
        for text in (ROW.replace("o", "о"), "\u200b".join(ROW), ROW.swapcase().replace(" ", " \u00a0")):
            assert session.observe(text).rule == "audit-chain", folded(text)
