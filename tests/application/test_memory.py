"""The path that a user walks: observe, propose, corroborate, recall, history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from tests.application.conftest import EMBEDDER

import lamina
from lamina.domain.errors import (
    BlankText,
    MissingKey,
    NaiveTime,
    OutOfRange,
    TextTooLong,
    UnknownRecord,
    UnknownRule,
)
from lamina.domain.ids import MemoryId
from lamina.domain.policies.write import AutoWrite
from lamina.domain.signals import Signal
from lamina.domain.state import Active, Invalidated
from lamina.testing.contracts.canonical_rules import BODY

CITATIONS = lamina.Claim("conformity gate", "requires", "citations")
SIGNATURES = lamina.Claim("conformity gate", "requires", "signatures")
OPERATOR = lamina.SourceType.OPERATOR_INPUT


def established(kyc: lamina.AnchoredMemory, text: str, claim: lamina.Claim) -> lamina.Outcome:
    """A fact that two sessions spoke for."""
    with kyc.session() as session:
        session.propose(text, claim=claim, because=[session.observe(f"seen: {text}").id])
    with kyc.session() as session:
        return session.propose(text, claim=claim, because=[session.observe(f"seen again: {text}").id])


def test_a_fact_is_held_until_a_second_voice_is_heard(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        with session.interaction() as turn:
            seen = turn.observe("The gate refused a proposal without citations", tags={"family": "gate"})
        held = session.propose("The conformity gate wants citations", claim=CITATIONS, because=[seen.id])
        assert (held.decision, held.rule) == (lamina.Decision.HELD, "corroborated")
        again = kyc.corroborate(held.id, lamina.Source(OPERATOR, uuid4(), session.id))
        assert again.decision is lamina.Decision.HELD, "the same session is the same occasion"
    assert held.id not in [hit.record.id for hit in kyc.recall("citations")], "a candidate is not surfaced"
    granted = kyc.corroborate(held.id, lamina.Source(OPERATOR, uuid4()))
    assert granted.decision is lamina.Decision.ADD
    assert held.id in [hit.record.id for hit in kyc.recall("conformity gate citations")]


def test_a_reversal_keeps_both_facts(kyc: lamina.AnchoredMemory) -> None:
    old = established(kyc, "The gate wants citations", CITATIONS)
    new = established(kyc, "The gate wants signatures", SIGNATURES)
    assert new.decision is lamina.Decision.UPDATE
    assert new.ids[1] == old.id
    first, second = kyc.history(old.id)
    assert isinstance(first.record.state, Invalidated)
    assert first.record.validity.invalid_at == second.record.validity.valid_at
    assert isinstance(second.record.state, Active)
    texts = [hit.record.body for hit in kyc.recall("what does the gate want", typologies=[lamina.Typology.SEMANTIC])]
    assert texts == ["The gate wants signatures"]
    everything = kyc.recall("what does the gate want", typologies=[lamina.Typology.SEMANTIC], include_retired=True)
    assert {hit.record.id for hit in everything} == {old.id, new.id}


def test_the_same_fact_again_is_a_corroboration(kyc: lamina.AnchoredMemory) -> None:
    first = established(kyc, "The gate wants citations", CITATIONS)
    again = established(kyc, "Citations are what the gate wants", CITATIONS)
    assert (again.decision, again.id) == (lamina.Decision.NOOP, first.id)
    assert len(kyc.recall("gate citations", typologies=[lamina.Typology.SEMANTIC])) == 1


def test_history_says_what_was_decided_and_who_spoke(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        seen = session.observe("seen once")
        held = session.propose("The gate wants citations", claim=CITATIONS, because=[seen.id])
    kyc.corroborate(held.id, lamina.Source(OPERATOR, uuid4()), notes="as always")
    (chapter,) = kyc.history(held.id)
    decided = [(entry.verb, entry.outcome.decision) for entry in chapter.decisions]
    assert decided == [("propose", lamina.Decision.HELD), ("corroborate", lamina.Decision.ADD)]
    assert [one.notes for one in chapter.corroborations] == ["", "as always"]
    with pytest.raises(UnknownRecord, match="ask for a memory of this anchor"):
        kyc.history(MemoryId(uuid4()))


def test_recall_says_why_and_keeps_to_what_is_asked(kyc: lamina.AnchoredMemory) -> None:
    spring = datetime(2026, 4, 1, tzinfo=UTC)
    session = kyc.session()
    session.observe("tighter threshold", tags={"family": "thresholds"}, at=spring)
    session.observe("tighter citations", tags={"family": "citations"}, at=spring + timedelta(days=30))
    first, second = kyc.recall("tighter", tags={"family": "thresholds"})
    assert first.record.body == "tighter threshold"
    assert first.why[Signal.TAGS].rank == 1
    assert set(second.why) == {Signal.LEXICAL, Signal.SEMANTIC, Signal.TIME}, "it says the word itself: nobody lends it"
    lent = {hit.record.body for hit in kyc.recall("threshold") if Signal.NEIGHBOURHOOD in hit.why}
    assert lent == {"tighter citations"}
    assert first.score > second.score
    assert [hit.record.body for hit in kyc.recall("tighter", since=spring + timedelta(days=1))] == ["tighter citations"]
    assert kyc.recall("tighter", tiers=[lamina.Tier.PERSISTENT]) == []
    assert len(kyc.recall("tighter", limit=1)) == 1


def test_another_anchor_knows_nothing(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    fact = established(kyc, "The gate wants citations", CITATIONS)
    aml = memory.at(org_id="acme", domain_id="aml")
    assert aml.recall("gate citations") == []
    with pytest.raises(UnknownRecord):
        aml.history(fact.id)
    refused = aml.corroborate(fact.id, lamina.Source(OPERATOR, uuid4()))
    assert (refused.decision, refused.rule) == (lamina.Decision.REFUSED, "anchor")
    stolen = aml.propose("The gate wants citations", because=[fact.id])
    assert (stolen.decision, stolen.rule) == (lamina.Decision.REFUSED, "evidence")


def test_a_rule_is_referred_to_and_never_copied(kyc: lamina.AnchoredMemory) -> None:
    rule = lamina.Rule(lamina.RuleRef(UUID(int=7), "v1"), BODY)
    kyc.add_rules([rule])
    with kyc.session() as session:
        session.observe("Operators keep missing the ninety days", rules=[rule.ref])
        several = [lamina.Observation("An honest note"), lamina.Observation(BODY), lamina.Observation(BODY.upper())]
        honest, *copies = session.observe_many(several)
        assert honest.decision is lamina.Decision.ADD, "a copy does not take the others along"
        assert {copy.rule for copy in copies} == {"rule-shadow"}
        assert (
            f"it copies rule {rule.ref.rule_id} version v1 (similarity 1.000); rule-content is not copied"
            in copies[0].reason
        )
        assert "refer by a rule reference with its version" in copies[0].reason
        with pytest.raises(UnknownRule):
            session.observe("Something about a rule that is not there", rules=[lamina.RuleRef(UUID(int=8), "v1")])
        assert len(kyc.recall("operators", limit=100)) == 2, "what was refused left nothing behind"


def test_a_fact_refers_to_the_rules_that_it_is_about(kyc: lamina.AnchoredMemory) -> None:
    first, second = (lamina.RuleRef(UUID(int=number), "v1") for number in (1, 2))
    kyc.add_rules([lamina.Rule(first, "Cite."), lamina.Rule(second, "Sign.")])
    claim = lamina.Claim("gate", "requires", "citations")

    def proposed(*rules: lamina.RuleRef) -> lamina.Outcome:
        with kyc.session() as session:
            seen = session.observe("A draft without citations was refused")
            return session.propose("The gate wants citations", claim=claim, because=[seen.id], rules=rules)

    held = proposed(first)
    assert kyc.history(held.id)[0].rules == {first}
    assert proposed().id == held.id
    assert proposed(second).decision is lamina.Decision.HELD
    known = proposed()
    assert (known.decision, known.id) == (lamina.Decision.NOOP, held.id)
    assert kyc.history(held.id)[0].rules == {first, second}, "what is known already refers to it too"
    with pytest.raises(UnknownRule):
        proposed(lamina.RuleRef(UUID(int=3), "v1"))
    assert len(kyc.history(held.id)[0].corroborations) == 4, "what was refused left nothing behind"


def test_many_observations_are_one_transaction(kyc: lamina.AnchoredMemory) -> None:
    several = [lamina.Observation(f"thing {number}", {"n": str(number)}) for number in range(50)]
    turn = kyc.session().interaction()
    outcomes = turn.observe_many(several)
    assert [outcome.decision for outcome in outcomes] == [lamina.Decision.ADD] * 50
    with pytest.raises(BlankText):
        turn.observe_many([lamina.Observation("good"), lamina.Observation(" ")])
    assert turn.observe_many([]) == []
    hits = kyc.recall("thing", limit=100)
    assert len(hits) == 50
    origins = {hit.record.body: hit.record.origin for hit in hits}
    assert [origins[one.text].position for one in several] == list(range(50))  # type: ignore[union-attr]


def test_a_sample_is_taken_evenly(url: str) -> None:
    half = lamina.Deviation(value=AutoWrite(sampling=0.5), justification="half of them are enough")
    spec = lamina.WORLD_AGENT.model_copy(update={"write": {"episodic": half}})
    with lamina.open(url, spec=spec, embedder=EMBEDDER) as memory:
        session = memory.at(org_id="acme", domain_id="kyc").session()
        outcomes = session.observe_many([lamina.Observation(f"thing {number}") for number in range(400)])
    taken = sum(outcome.decision is lamina.Decision.ADD for outcome in outcomes)
    assert 140 < taken < 260
    assert {outcome.rule for outcome in outcomes if outcome.stopped} == {"write-policy"}


def test_bad_input_is_named(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    with pytest.raises(MissingKey, match="anchor lacks domain_id"):
        memory.at(org_id="acme")
    with kyc.session() as session:
        with pytest.raises(TextTooLong, match="2,000 is the bound"):
            session.observe("x" * 2_001)
        with pytest.raises(NaiveTime):
            session.observe("x", at=datetime(2026, 1, 1))
        assert session.propose("A fact from nothing").rule == "evidence"
    for text in ("", " \u200b"):
        with pytest.raises(BlankText, match="query"):
            kyc.recall(text)
    with pytest.raises(OutOfRange, match="limit is 0"):
        kyc.recall("x", limit=0)
    assert kyc.recall("'; DROP TABLE memory; --") == []
