"""Gates change what crosses a boundary; whatever they do is in the manifest, and nothing else happens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.agents import OPERATIONS_AGENT, WORLD_AGENT
from lamina.domain.claim import Claim
from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.discipline import Reader
from lamina.domain.ids import ContradictionId, CorroborationId, MemoryId, SessionId
from lamina.domain.policies.decay import DecayExempt, ValidityWindow
from lamina.domain.quoting import quoted_in_chat
from lamina.domain.references import RuleRef
from lamina.domain.sanitization.answer import Answer
from lamina.domain.sanitization.customer import TOOLS, CustomerSubset, Tool, permitted
from lamina.domain.sanitization.hedging import HEDGES, HedgeByProvenance, Unknown, coverage, unknown
from lamina.domain.sanitization.identifiers import identifiers
from lamina.domain.sanitization.passage import Crossed, Effect, Passage, SanitizationGate, through
from lamina.domain.sanitization.proposing import concern, sanitized
from lamina.domain.sanitization.provenance import Provenance, provenance
from lamina.domain.sanitization.strip_identifiers import StripIdentifiers
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.testing.samples import DAY, START, anchor, record, uuid

PROVENANCES = st.sampled_from(list(Provenance))
passages = st.builds(
    lambda text, founded, own, tier: Passage(
        ref=text[:5] or "?",
        text=text,
        anchor=anchor() if own else anchor("other"),
        tier=tier,
        provenance=founded,
        since=START,
    ),
    st.text(max_size=80),
    PROVENANCES,
    st.booleans(),
    st.sampled_from(list(Tier)),
)


def said(*texts: str) -> list[Passage]:
    return [Passage(ref=f"signal {number}", text=text) for number, text in enumerate(texts, 1)]


class TestStripIdentifiers:
    def test_the_same_thing_is_the_same_thing_in_every_signal(self) -> None:
        crossed = StripIdentifiers(names=("Northwind Bank",)).cross(
            said(
                "Reviewers at Northwind Bank override the passport check when db-17.internal is slow",
                "The override of the passport check follows timeouts of db-17.internal, not of db-18.internal",
                "northwind bank raised INC-4411 about overrides of the address check from 10.2.3.4",
            )
        )
        assert [passage.text for passage in crossed.passages] == [
            "Reviewers at <name-1> override the passport check when <host-1> is slow",
            "The override of the passport check follows timeouts of <host-1>, not of <host-2>",
            "<name-1> raised <account-1> about overrides of the address check from <address-1>",
        ]
        assert [str(effect) for effect in crossed.manifest] == [
            "strip-identifiers: signal 1 2 identifiers stripped (host, name)",
            "strip-identifiers: signal 2 2 identifiers stripped (host)",
            "strip-identifiers: signal 3 3 identifiers stripped (account, address, name)",
        ]

    def test_what_is_meaningless_without_them_stays_behind_with_that_reason(self) -> None:
        crossed = StripIdentifiers().cross(said("db-17.internal was 10.2.3.4", "Overrides follow a slow gate"))
        assert [passage.text for passage in crossed.passages] == ["Overrides follow a slow gate"]
        (effect,) = crossed.manifest
        assert effect.stayed_behind
        assert "without what is specific to its deployment nothing is left of it" in effect.what

    @pytest.mark.parametrize(
        "text",
        [
            "The conformity gate requires citations for authoritative promotion",
            "After 40 overrides in 3 days the threshold of 0.85 was raised, by 20%",
            "Covid-19 rules of ADR-5 apply since 2026-03-01, 09:30",
            "state/region and either/or are no paths",
        ],
    )
    def test_plain_words_and_numbers_are_left_alone(self, text: str) -> None:
        assert identifiers(text) == []

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("6f1c2c1e-8f5a-4b0e-9d5e-0f6d2a3b4c5d", "id"),
            ("https://acme.example/x?y=1", "url"),
            ("ops@acme.example", "email"),
            ("192.168.0.17:5432", "address"),
            ("fe80:0:0:0:200:f8ff", "address"),
            ("worker-3-eu", "host"),
            ("gate.corp", "host"),
            ("/srv/acme/kyc/rules.json", "path"),
            (r"C:\acme\kyc", "path"),
            ("KYC-00412", "account"),
            ("123456789", "account"),
        ],
    )
    def test_identifiers_of_machines_are_told(self, text: str, kind: str) -> None:
        (found,) = identifiers(f"see {text} there")
        assert (found.kind, f"see {text} there"[found.start : found.end]) == (kind, text)

    @given(st.lists(st.text(max_size=60), max_size=5))
    def test_what_has_crossed_crosses_again_unchanged(self, texts: list[str]) -> None:
        once = StripIdentifiers(names=("acme",)).cross(said(*texts))
        assert StripIdentifiers(names=("acme",)).cross(once.passages) == Crossed(once.passages)


class TestProposing:
    def test_a_fact_is_stripped_as_it_is_proposed(self) -> None:
        fact = record("fact", body="The gate on host-17 refuses proposals without citations")
        crossed, what = sanitized(WORLD_AGENT, fact)
        assert crossed.body == "The gate on <host-1> refuses proposals without citations"
        assert what == "1 identifiers stripped (host)"
        assert concern(WORLD_AGENT, crossed) is None

    @pytest.mark.parametrize(
        ("body", "claim", "why"),
        [
            ("host-17 is 10.0.0.3", None, "without what is specific to its deployment"),
            ("The gate is down", Claim("host-17", "status", "down"), "its claim is about one deployment"),
        ],
    )
    def test_what_is_about_a_deployment_stays_behind(self, body: str, claim: Claim | None, why: str) -> None:
        fact = record("fact", body=body, claim=claim)
        assert sanitized(WORLD_AGENT, fact) == (fact, None)
        assert why in (concern(WORLD_AGENT, fact) or "")

    def test_without_the_crossing_there_is_no_concern(self) -> None:
        fact = record("fact", body="host-17 is 10.0.0.3")
        assert sanitized(OPERATIONS_AGENT, fact) == (fact, None)
        assert concern(OPERATIONS_AGENT, fact) is None


def confirmed(source: str, kind: SourceType = SourceType.OPERATOR_INPUT, days: int = 0) -> Corroboration:
    return Corroboration(
        id=CorroborationId(uuid5(uuid(source), str(days))),
        memory_id=MemoryId(uuid("fact")),
        source_type=kind,
        source_ref=uuid(source),
        corroborated_at=START + days * DAY,
        session_id=SessionId(uuid(f"session of {source}")),
    )


def dispute(*statuses: ContradictionStatus) -> Contradiction:
    steps = tuple(StatusChange(status, START, "because") for status in (ContradictionStatus.OPEN, *statuses))
    return Contradiction(
        id=ContradictionId(uuid("dispute")),
        memory_id=MemoryId(uuid("fact")),
        against=RuleRef(uuid("rule"), "v1"),
        history=steps,
    )


GUESS = confirmed("agent", SourceType.AGENT_INFERENCE)
FAILED = Corroboration(
    id=CorroborationId(uuid("failed")),
    memory_id=MemoryId(uuid("fact")),
    source_type=SourceType.OPERATOR_INPUT,
    source_ref=uuid("c"),
    corroborated_at=START,
    outcome=Finding.FAILED,
)


class TestProvenance:
    @pytest.mark.parametrize(
        ("typology", "spoken", "disputes", "days", "founded"),
        [
            (Typology.SEMANTIC, [confirmed("a"), confirmed("b")], [], 1, Provenance.ESTABLISHED),
            (Typology.SEMANTIC, [confirmed("a")], [], 1, Provenance.SINGLE_SOURCE),
            (Typology.SEMANTIC, [confirmed("a"), FAILED], [], 1, Provenance.SINGLE_SOURCE),
            (Typology.SEMANTIC, [], [], 1, Provenance.SINGLE_SOURCE),
            (Typology.SEMANTIC, [GUESS], [], 1, Provenance.INFERRED),
            (Typology.SEMANTIC, [confirmed("a"), confirmed("b")], [], 200, Provenance.STALE),
            (Typology.SEMANTIC, [confirmed("a"), confirmed("b", days=100)], [], 200, Provenance.ESTABLISHED),
            (Typology.SEMANTIC, [confirmed("a"), confirmed("b")], [dispute()], 1, Provenance.CONTRADICTED),
            (
                Typology.SEMANTIC,
                [confirmed("a"), confirmed("b")],
                [dispute(ContradictionStatus.DISMISSED)],
                1,
                Provenance.ESTABLISHED,
            ),
            (Typology.EPISODIC, [], [], 1, Provenance.OBSERVED),
            (Typology.PROCEDURAL, [confirmed("a")], [], 1, Provenance.STATED),
            (Typology.PROCEDURAL, [GUESS], [], 1, Provenance.INFERRED),
        ],
    )
    def test_what_speaks_against_it_comes_first(
        self,
        typology: Typology,
        spoken: list[Corroboration],
        disputes: list[Contradiction],
        days: int,
        founded: Provenance,
    ) -> None:
        window = ValidityWindow(half_life=timedelta(days=180)) if typology is Typology.SEMANTIC else DecayExempt()
        fact = record("fact", typology=typology)
        assert provenance(fact, spoken, disputes, window, START + days * DAY) is founded


class TestHedging:
    def test_each_provenance_has_a_hedge_and_only_what_is_established_has_none(self) -> None:
        assert set(HEDGES) == set(Provenance)
        assert [one for one in Provenance if HEDGES[one] == "{text}"] == [Provenance.ESTABLISHED]

    @given(st.lists(passages, max_size=6))
    def test_everything_arrives_in_order_with_its_words(self, given_: list[Passage]) -> None:
        crossed = HedgeByProvenance().cross(given_)
        assert all(after.text.endswith(before.text) for before, after in zip(given_, crossed.passages, strict=True))
        hedged = [one for one in given_ if one.provenance is not Provenance.ESTABLISHED]
        assert [effect.ref for effect in crossed.manifest] == [one.ref for one in hedged]

    def test_a_memory_cannot_change_its_hedge(self) -> None:
        (crossed,) = (
            HedgeByProvenance()
            .cross([Passage(ref="x", text="{since} {text} {0}", provenance=Provenance.SINGLE_SOURCE)])
            .passages
        )
        assert crossed.text == "According to a single source: {since} {text} {0}"

    def test_i_dont_know_is_an_answer_that_says_what_is_missing(self) -> None:
        asked = {"Which": [], "dormant": ["dormant"], "accounts": ["account"], "close": ["close"]}
        relevant, missing = coverage(asked, [["gate", "close"], ["citation"]])
        assert (relevant, missing) == ([True, False], ["dormant", "accounts"])
        answer = unknown("Which dormant accounts close?", asked, missing)
        assert answer == Unknown("Which dormant accounts close?", ("dormant", "accounts"))
        assert Answer("?", Reader.OPERATOR, unknown=answer).text == (
            "I don't know. There is nothing in memory about dormant, accounts."
        )
        assert unknown("Which dormant accounts close?", asked, ["dormant"]) is None


class TestCustomer:
    def test_no_tool_of_an_operator_is_a_customers(self) -> None:
        assert TOOLS[Reader.CUSTOMER] < TOOLS[Reader.OPERATOR]
        assert permitted(Reader.CUSTOMER, Tool.ASK) is None
        refusal = permitted(Reader.CUSTOMER, Tool.HISTORY)
        assert refusal
        assert "history is no tool of a customer: ask, recall are" in refusal.reason

    @given(st.lists(passages, max_size=8))
    def test_only_their_own_durable_undisputed_facts_arrive(self, given_: list[Passage]) -> None:
        crossed = CustomerSubset(anchor()).cross(given_)
        assert all(one.anchor == anchor() and one.tier is Tier.PERSISTENT for one in crossed.passages)
        hidden = {Provenance.CONTRADICTED, Provenance.INFERRED, Provenance.OBSERVED}
        assert not {one.provenance for one in crossed.passages} & hidden
        assert len(crossed.passages) + len(crossed.manifest) == len(given_)
        assert all(effect.stayed_behind for effect in crossed.manifest)

    def test_no_other_domain_is_named(self) -> None:
        own = Passage(
            ref="x",
            text="The gate is stricter than the one of AML",
            anchor=anchor(),
            tier=Tier.PERSISTENT,
            provenance=Provenance.ESTABLISHED,
        )
        assert CustomerSubset(anchor(), others=("aml",)).cross([own]).passages == ()
        assert CustomerSubset(anchor(), others=("am",)).cross([own]).passages == (own,)


class Shouting:
    """A gate of somebody's own."""

    name = "shouting"

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        changed = tuple(one.saying(one.text.upper()) for one in passages)
        return Crossed(changed, tuple(Effect(self.name, one.ref, "shouted") for one in passages))


@given(st.lists(passages, max_size=5))
def test_several_gates_are_one(given_: list[Passage]) -> None:
    gates: list[SanitizationGate] = [CustomerSubset(anchor()), StripIdentifiers(), HedgeByProvenance(), Shouting()]
    whole = through(gates, given_)
    first = through(gates[:2], given_)
    second = through(gates[2:], first.passages)
    assert whole == Crossed(second.passages, (*first.manifest, *second.manifest))
    assert through([], given_) == Crossed(tuple(given_))


@given(st.text())
def test_a_quoted_text_is_on_one_line_between_its_marks(text: str) -> None:
    shown = quoted_in_chat(text)
    assert "\n" not in shown
    assert shown.startswith('"')
    assert shown.endswith('"')
    assert '"' not in shown[1:-1].replace('\\"', "")
