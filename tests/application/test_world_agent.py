"""Another context asks through a runner: an operator is told with hedges, a customer only their own, and both may be
told that it is not known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.discipline import Crossing, Reader
from lamina.domain.errors import BlankText, UnknownKey
from lamina.domain.refusal import Refusal
from lamina.domain.sanitization.answer import Answer
from lamina.domain.sanitization.customer import Tool
from lamina.domain.sanitization.passage import Crossed, Effect, Passage

ANN = {"org_id": "acme", "domain_id": "kyc"}


def established(at: lamina.AnchoredMemory, text: str, claim: lamina.Claim | None = None) -> lamina.Outcome:
    with at.session() as session:
        fact = session.propose(text, claim=claim, because=[session.observe(f"seen that {text}").id])
    return at.corroborate(fact.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())).require()


def test_an_operator_is_told_with_hedges(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    fact = established(kyc, "The conformity gate requires citations")
    disputed = established(kyc, "The conformity gate requires two reviewers")
    kyc.contradict(disputed.id, other=fact.id, note="one of them is wrong")
    with kyc.session() as session:
        session.observe("The conformity gate was closed for an hour")
        answer = memory.at(**ANN).runner("operator").ask_world_agent("what does the conformity gate require?")
    assert answer.unknown is None
    lines = answer.text.splitlines()
    assert any("This is disputed: The conformity gate requires" in line for line in lines)
    assert any("It was seen on" in line and "closed for an hour" in line for line in lines)
    assert all(line.startswith('- "') and line.endswith('"') for line in lines)
    assert {effect.gate for effect in answer.manifest} <= {"hedge-by-provenance", "relevance"}


def test_what_is_established_and_fresh_is_told_as_it_is(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    established(kyc, "The conformity gate requires citations")
    answer = memory.at(**ANN).runner("operator").ask_world_agent("what does the gate require?")
    assert '- "The conformity gate requires citations"' in answer.text.splitlines()


@pytest.mark.parametrize("reader", ["operator", "customer"])
def test_i_dont_know_is_an_answer(memory: lamina.Memory, kyc: lamina.AnchoredMemory, reader: str) -> None:
    established(kyc, "The conformity gate requires citations")
    answer = memory.at(**ANN).runner(reader).ask_world_agent("who insures dormant accounts?")
    assert answer.unknown is not None
    assert answer.text == "I don't know. There is nothing in memory about insures, dormant, accounts."
    assert answer.passages == ()
    empty = memory.at(org_id="acme", domain_id="empty").runner(reader).ask_world_agent("the gate")
    assert empty.unknown is not None


def test_a_customer_sees_their_own_facts_and_nothing_else(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    fact = established(kyc, "The conformity gate requires citations")
    established(memory.at(org_id="acme", domain_id="aml"), "The conformity gate of aml requires blood")
    established(memory.at(org_id="other", domain_id="kyc"), "The conformity gate of others requires gold")
    disputed = established(kyc, "The conformity gate requires patience")
    kyc.contradict(disputed.id, other=fact.id, note="one of them is wrong")
    with kyc.session() as session:
        session.observe("Operator Bob said the conformity gate is a joke")
        answer = memory.at(**ANN).runner("customer").ask_world_agent("what does the conformity gate require?", limit=20)
    assert not any(word in answer.text for word in ("aml", "others", "blood", "gold", "Bob", "joke", "patience"))
    assert "citations" not in answer.text, "it is one side of a dispute"
    assert all(passage.anchor == kyc.anchor for passage in answer.passages)


class Quiet:
    """A gate of the agent's own: nothing gets through."""

    name = "quiet"

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        return Crossed((), tuple(Effect(self.name, one.ref, "hushed", stayed_behind=True) for one in passages))


def test_a_gate_that_the_spec_declares_is_there_or_nothing_is_told(urls: Urls) -> None:
    own = Crossing(source="world agent memory", target="customer chat", gate="quiet", effect="nothing gets through")
    crossings = [*lamina.WORLD_AGENT.sanitization, own]
    spec = lamina.WORLD_AGENT.model_copy(update={"sanitization": crossings})
    with lamina.open(urls(lamina.WORLD_AGENT), spec, EMBEDDER) as memory:
        kyc = memory.at(**ANN)
        established(kyc, "The conformity gate requires citations")
        with pytest.raises(UnknownKey, match="gate quiet stands between the memory of world_agent and its customer"):
            kyc.runner("customer")
        assert "citations" in kyc.runner("operator").ask_world_agent("what does the conformity gate require?").text
        told = kyc.runner("customer", [Quiet()]).ask_world_agent("what does the conformity gate require?")
        assert "citations" not in told.text
        assert any(effect.gate == "quiet" for effect in told.manifest)


def test_a_customer_reads_nothing_of_other_domains(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    established(kyc, "The conformity gate requires citations")
    established(kyc, "The conformity gate of Treasury requires two reviewers")
    asked = "what does the conformity gate require?"
    customer = memory.at(**ANN).runner("customer", other_domains=["treasury"])
    for answer in (customer.ask_world_agent(asked, limit=20), customer.use("recall", asked)):
        assert isinstance(answer, Answer)
        assert "citations" in answer.text
        assert "Treasury" not in answer.text
        assert any(effect.what == "it names another domain" for effect in answer.manifest)
    assert "Treasury" in memory.at(**ANN).runner("operator", other_domains=["treasury"]).ask_world_agent(asked).text
    with pytest.raises(BlankText, match="name of another domain"):
        memory.at(**ANN).runner("customer", other_domains=[" "])


def test_a_customers_answer_has_no_identifiers(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    kyc.prefer("The gate on node-17 is asked first, then https://gate.acme.example/next")
    operator = memory.at(**ANN).runner("operator").ask_world_agent("which gate is asked first?")
    customer = memory.at(**ANN).runner("customer").ask_world_agent("which gate is asked first?")
    assert "node-17" in operator.text
    assert "<host-1>" in customer.text
    assert "<url-1>" in customer.text
    assert any(effect.gate == "strip-identifiers" for effect in customer.manifest)


def test_tools_only_read_and_a_customer_has_fewer(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    fact = established(kyc, "The conformity gate requires citations")
    operator, customer = memory.at(**ANN).runner("operator"), memory.at(**ANN).runner("customer")
    assert operator.tools == frozenset(Tool)
    assert customer.tools == {Tool.ASK, Tool.RECALL}
    told = operator.use("history", str(fact.id))
    assert isinstance(told, Answer)
    assert "corroborate: ADD" in told.text
    assert isinstance(operator.use("contradictions", "open"), Answer)
    assert isinstance(operator.use("contradictions", "whatever"), Refusal)
    assert isinstance(customer.use("recall", "gate"), Answer)
    for tool in ("history", "contradictions", "archive", "prefer", "undo", "across"):
        assert isinstance(customer.use(tool, str(fact.id)), Refusal), tool
    for tool in ("archive", "prefer", "undo", "propose", "observe"):
        assert isinstance(operator.use(tool, str(fact.id)), Refusal), tool
    other = memory.at(org_id="other", domain_id="kyc").runner("operator").use("history", str(fact.id))
    assert isinstance(other, Refusal)


def test_a_runner_has_no_way_to_another_anchor_or_to_the_memory(memory: lamina.Memory) -> None:
    customer = memory.at(**ANN).runner("customer")
    public = {name for name in dir(customer) if not name.startswith("_")}
    assert public == {"reader", "tools", "ask_world_agent", "use"}
    assert customer.reader is Reader.CUSTOMER


def test_a_reader_without_a_way_in_gets_none(urls: Urls) -> None:
    with lamina.open(urls(lamina.ASSISTANT_AGENT), lamina.ASSISTANT_AGENT, EMBEDDER) as assistant:
        with pytest.raises(UnknownKey, match="has no way in to the memory of assistant_agent"):
            assistant.at(user_id="ann").runner("customer")
        with pytest.raises(UnknownKey, match="reader 'admin'"):
            assistant.at(user_id="ann").runner("admin")


def test_a_gate_of_ones_own_comes_last(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    class Shouting:
        name = "shouting"

        def cross(self, passages: Sequence[Passage]) -> Crossed:
            changed = tuple(one.saying(one.text.upper()) for one in passages)
            return Crossed(changed, tuple(Effect(self.name, one.ref, "shouted") for one in passages))

    established(kyc, "The conformity gate requires citations")
    answer = memory.at(**ANN).runner("operator", [Shouting()]).ask_world_agent("the gate requires citations?")
    assert "THE CONFORMITY GATE REQUIRES CITATIONS" in answer.text
    assert answer.manifest[-1].gate == "shouting"


def test_a_fact_is_stripped_or_held_by_the_sanitization_gate(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        seen = session.observe("The gate refused a proposal without citations")
        stripped = session.propose("The gate on node-17 refuses proposals without citations", because=[seen.id])
        assert stripped.rule == "corroborated"
        assert stripped.reason.endswith("1 identifiers stripped (host)")
        behind = session.propose("node-17 is down", claim=lamina.Claim("node-17", "is", "down"), because=[seen.id])
    granted = kyc.corroborate(stripped.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert granted.decision is lamina.Decision.ADD
    bodies = [hit.record.body for hit in kyc.recall("gate refuses proposals citations")]
    assert "The gate on <host-1> refuses proposals without citations" in bodies
    held = kyc.corroborate(behind.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert (held.decision, held.rule) == (lamina.Decision.HELD, "sanitized")
    assert "its claim is about one deployment" in held.reason


def test_an_agents_own_word_does_not_promote_a_fact(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        seen = session.observe("The gate refused a proposal without citations")
        fact = session.propose("The gate wants citations", because=[seen.id])
    for _ in range(3):
        held = kyc.corroborate(fact.id, lamina.Source(lamina.SourceType.AGENT_INFERENCE, uuid4()))
        assert (held.decision, held.rule) == (lamina.Decision.HELD, "corroborated")
    assert "3 more of sources that are trusted too little" in held.reason
    granted = kyc.corroborate(fact.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert granted.decision is lamina.Decision.ADD


def test_what_was_not_confirmed_for_long_is_stale(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    established(kyc, "The conformity gate requires citations")
    later = memory._resources.clock.now() + timedelta(days=400)
    resources = memory._resources

    class Later:
        def now(self) -> object:
            return later

    object.__setattr__(resources, "clock", Later())
    answer = memory.at(**ANN).runner("customer").ask_world_agent("what does the conformity gate require?")
    assert "has not been confirmed for long: The conformity gate requires citations" in answer.text
