"""Texts that were written to do harm go through every verb as data: they come back as they were, and that is all."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.discipline import Canonical
from lamina.domain.errors import InvalidInput, LaminaError
from lamina.domain.quoting import quoted_in_chat
from lamina.testing.attacks import ATTACKS, EVERY

MARK = "victimsecretword"


@pytest.fixture(scope="module")
def spec() -> lamina.AgentMemorySpec:
    """The World Agent's, which may keep personal data: here every text is to be stored."""
    entries = tuple(
        one for one in lamina.WORLD_AGENT.reference_only.non_mirror if one.category is not Canonical.PERSONAL_DATA
    )
    listed = lamina.WORLD_AGENT.reference_only.model_copy(update={"non_mirror": entries})
    return lamina.WORLD_AGENT.model_copy(update={"reference_only": listed, "sanitization": ()})


@pytest.fixture
def poisoned(urls: Urls, spec: lamina.AgentMemorySpec) -> Iterator[lamina.Memory]:
    with lamina.open(urls(lamina.WORLD_AGENT), spec, EMBEDDER) as memory:
        victim = memory.at(org_id="other", domain_id="kyc")
        victim.prefer(f"{MARK} is what nobody else may read", claim=lamina.Claim("victim", "says", MARK))
        yield memory
        (hit,) = victim.recall(MARK)
        assert hit.record.live, "the other tenant's memory is as it was"


def test_there_are_attacks_of_every_kind() -> None:
    kinds = {"prompt injection", "cross-tenant", "homoglyphs", "zero-width", "SQL", "tsquery", "path", "template"}
    assert set(ATTACKS) == kinds
    assert all(len(texts) >= 5 for texts in ATTACKS.values())
    assert len(set(EVERY)) == len(EVERY)


def test_what_is_observed_comes_back_as_it_was(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    with at.session() as session:
        several = [lamina.Observation(text, {"kind": text, f"key {n}": "x"}) for n, text in enumerate(EVERY)]
        outcomes = session.observe_many(several)
        assert {outcome.decision for outcome in outcomes} == {lamina.Decision.ADD}
        one_by_one = [session.observe(text, tags={"once": text}) for text in EVERY[::6]]
        with at._resources.store.reading(at.anchor) as unit:
            stored = unit.records.get([outcome.id for outcome in outcomes + one_by_one])
        assert [stored[outcome.id].body for outcome in outcomes] == list(EVERY)
        assert [stored[outcome.id].tags["kind"] for outcome in outcomes] == list(EVERY)


def test_as_a_query_it_finds_nothing_of_others(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    at.prefer("The gate wants citations")
    asked = [*EVERY, *(f"{MARK} {text}" for text in EVERY)]
    for text in asked:
        hits = at.recall(text, tags={"kind": text})
        assert {hit.record.body for hit in hits} <= {"The gate wants citations"}, text
        for reader in ("operator", "customer"):
            assert f"{MARK} is what" not in at.runner(reader).ask_world_agent(text).text
    assert all(MARK not in one.found for text in EVERY for one in at.shadow(text))


def test_as_the_value_of_a_key_it_is_an_anchor_of_its_own(poisoned: lamina.Memory) -> None:
    names = [*EVERY, "other ", " other", "OTHER", "othe", "other2"]
    for name in names:
        at = poisoned.at(org_id=name, domain_id="kyc")
        assert at.recall(MARK) == [], name
        at.prefer(f"own thing of {name}", claim=lamina.Claim("it", "is", name))
    for name in names:
        bodies = [hit.record.body for hit in poisoned.at(org_id=name, domain_id="kyc").recall("own thing")]
        assert bodies == [f"own thing of {name}"], name
        assert [hit.record.body for hit in poisoned.across(org_id=name).recall("own thing")] == bodies, name


def test_as_words_of_every_other_verb_it_is_kept_and_told(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    for number, text in enumerate(EVERY):
        # Some of them are one name, folded: each is said of a matter of its own.
        claim = lamina.Claim(f"{number} {text}", "is", text)
        with at.session() as session:
            seen = session.observe(f"seen: {text}")
            fact = session.propose(f"fact: {text}", claim=claim, because=[seen.id])
        source = lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())
        granted = at.corroborate(fact.id, source, notes=text)
        other = at.prefer(f"preferred: {text}", claim=lamina.Claim(f"{number} {text}", text, text))
        dispute = at.contradict(other.id, other=granted.id, note=text)
        at.link_action(text, text, [granted.id])
        at.exempt(granted.id, reason=text)
        at.archive(other.id, reason=text)
        chapter = at.history(granted.id)[0]
        assert chapter.record.claim == claim
        assert [said.notes for said in chapter.corroborations][-1] == text
        assert [(link.kind, link.ref) for link in chapter.actions] == [(text, text)]
        assert any(one.history[0].notes == text for one in chapter.contradictions)
        assert dispute.decision is not lamina.Decision.REFUSED
        assert at.plan().invalidate(granted.id, reason=text).decision is lamina.Decision.DELETE


def test_as_an_id_or_a_tool_it_is_a_refusal(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    runner = at.runner("operator")
    for text in EVERY:
        assert not hasattr(runner.use(text, text), "passages")
        assert "anchor" in str(runner.use("history", text))
        with pytest.raises(LaminaError):
            at.move_contradiction(UUID(int=1), text, "note")  # type: ignore[arg-type]


def test_as_a_rule_it_is_compared_and_no_more(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    for number, text in enumerate(EVERY):
        body = f"{text} " * (110 // len(text) + 1)
        ref = lamina.RuleRef(UUID(int=number + 1), text if len(text) <= 100 else text[:100])
        at.add_rules([lamina.Rule(ref, body.strip())])
    with at.session() as session:
        for text in EVERY:
            outcome = session.observe((f"{text} " * (110 // len(text) + 1)).strip())
            assert outcome.rule in {"rule-shadow", "rule-containment", None}


def test_what_looks_like_an_instruction_is_told_between_quotation_marks(poisoned: lamina.Memory) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    for text in ATTACKS["prompt injection"]:
        at.prefer(f"operators said: {text}")
    answer = at.runner("operator").ask_world_agent("what is it that operators said?", limit=20)
    assert answer.unknown is None
    assert len(answer.text.splitlines()) == len(answer.passages), "each on one line"
    for line, passage in zip(answer.text.splitlines(), answer.passages, strict=True):
        assert line == f"- {quoted_in_chat(passage.text)}"


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "", " ", "\u200b\u2060", "x" * 3_000])
def test_what_no_store_can_hold_is_an_error_in_words(poisoned: lamina.Memory, text: str) -> None:
    at = poisoned.at(org_id="acme", domain_id="kyc")
    with at.session() as session:
        for act in (
            lambda: session.observe(text),
            lambda: session.propose(text, because=[]),
            lambda: session.prefer(text),
            lambda: at.shadow(text),
        ):
            with pytest.raises(InvalidInput):
                act()
