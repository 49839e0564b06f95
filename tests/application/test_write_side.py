"""The verbs that change what is known: each gives an outcome with its reason, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from tests.application.conftest import EMBEDDER, Clock

import lamina
from lamina.domain.contradiction import Contradiction
from lamina.domain.errors import MissingKey, UnknownKey
from lamina.domain.ids import ContradictionId, DecisionId, MemoryId
from lamina.domain.state import Active, Archived, Candidate, Exempted, Invalidated, Superseded

ADD, UPDATE, DELETE, NOOP = lamina.Decision.ADD, lamina.Decision.UPDATE, lamina.Decision.DELETE, lamina.Decision.NOOP
REFUSED = lamina.Decision.REFUSED
CONCISE = lamina.Claim("operator 7", "style", "concise")
NOWHERE = MemoryId(uuid4())


def state(memory: lamina.AnchoredMemory, memory_id: MemoryId) -> object:
    return memory.history(memory_id)[0].record.state


def last_decision(memory: lamina.AnchoredMemory, memory_id: MemoryId) -> DecisionId:
    return memory.history(memory_id)[0].decisions[-1].id


def preference(memory: lamina.AnchoredMemory, text: str = "Concise distillations") -> MemoryId:
    return memory.prefer(text).require().id


def test_a_stated_preference_takes_the_place_of_the_last(kyc: lamina.AnchoredMemory) -> None:
    first = kyc.prefer("Concise distillations", claim=CONCISE)
    assert first.decision is ADD
    same = kyc.prefer("Concise, as always", claim=CONCISE)
    assert (same.decision, same.id) == (NOOP, first.id)
    changed = kyc.prefer("Long distillations", claim=lamina.Claim("operator 7", "style", "long"))
    assert (changed.decision, changed.ids[1]) == (UPDATE, first.id)
    old, new = kyc.history(first.id)
    assert isinstance(old.record.state, Superseded)
    assert new.record.id == changed.id
    assert len(old.corroborations) == 1, "what was said again is a corroboration"
    hits = kyc.recall("distillations", typologies=[lamina.Typology.PROCEDURAL])
    assert [hit.record.body for hit in hits] == ["Long distillations"]


def test_an_extracted_preference_needs_its_confidence(kyc: lamina.AnchoredMemory) -> None:
    unsure = kyc.prefer("Concise distillations", confidence=0.6)
    assert (unsure.decision, unsure.rule, unsure.reason) == (
        REFUSED,
        "write-policy",
        "confidence 0.6 is below 0.9",
    )
    assert kyc.prefer("Concise distillations", confidence=0.95).decision is ADD


def test_a_text_that_reads_like_another_opens_a_contradiction(kyc: lamina.AnchoredMemory) -> None:
    first = kyc.prefer("Report the threshold as 12 percent in every summary of the week")
    second = kyc.prefer("Report the threshold as 13 percent in every summary of the week")
    assert second.decision is ADD
    assert "'12' became '13'" in second.reason
    assert isinstance(state(kyc, first.id), Active), "nothing is retired on suspicion"
    (doubt,) = kyc.contradictions()
    assert (doubt.memory_id, doubt.against) == (second.id, first.id)


def test_a_contradiction_goes_its_way_and_becomes_a_signal(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    told: list[Contradiction] = []
    memory.subscribe(lambda _, contradiction: told.append(contradiction))
    rule = lamina.Rule(lamina.RuleRef(uuid4(), "v1"), "Cite sources.")
    kyc.add_rules([rule])
    fact = preference(kyc)
    opened = kyc.contradict(fact, rule=rule.ref, note="it says otherwise")
    assert opened.decision is NOOP
    (doubt,) = kyc.contradictions()
    early = kyc.move_contradiction(doubt.id, "promoted_to_revision_signal", "too soon")
    assert (early.decision, early.rule) == (REFUSED, "contradiction-status")
    kyc.move_contradiction(doubt.id, "surfaced_to_operator", "please look").require()
    assert told == []
    kyc.move_contradiction(doubt.id, "promoted_to_revision_signal", "she agrees").require()
    assert [one.id for one in told] == [doubt.id]
    assert kyc.contradictions() == []
    (signal,) = kyc.contradictions("promoted_to_revision_signal")
    assert [step.notes for step in signal.history] == ["it says otherwise", "please look", "she agrees"]
    (chapter,) = kyc.history(fact)
    assert chapter.contradictions == (signal,)


def test_a_contradiction_needs_sides_that_are_there(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    missing = lamina.RuleRef(uuid4(), "v1")
    assert kyc.contradict(NOWHERE, other=fact, note="?").rule == "anchor"
    assert kyc.contradict(fact, other=NOWHERE, note="?").rule == "anchor"
    assert kyc.contradict(fact, rule=missing, note="?").rule == "reference"
    assert kyc.move_contradiction(ContradictionId(uuid4()), "dismissed", "?").rule == "anchor"
    with pytest.raises(MissingKey, match=r"give either rule=... or other=..."):
        kyc.contradict(fact, note="?")
    with pytest.raises(UnknownKey, match="contradiction status 'closed' is not known; choose one of open"):
        kyc.contradictions("closed")


def test_what_an_action_rests_on_is_pinned(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    linked = kyc.link_action("rule_promotion", "rule 7", [fact])
    assert (linked.decision, linked.reason) == (NOOP, "rule_promotion rule 7 rests on it")
    archived = kyc.archive(fact, reason="tidying up")
    assert (archived.decision, archived.rule) == (REFUSED, "action-linkage")
    assert "rule_promotion rule 7 was justified by it" in archived.reason
    (chapter,) = kyc.history(fact)
    assert isinstance(chapter.record.state, Active)
    assert [(link.kind, link.ref) for link in chapter.actions] == [("rule_promotion", "rule 7")]
    assert kyc.link_action("rule_promotion", "rule 7", [NOWHERE]).rule == "evidence"
    assert kyc.link_action("rule_promotion", "rule 7", []).rule == "evidence"


@pytest.mark.parametrize(
    ("retire", "kind", "decision"),
    [
        (lambda kyc, id_: kyc.archive(id_, reason="stale"), Archived, DELETE),
        (lambda kyc, id_: kyc.exempt(id_, reason="a landmark"), Exempted, UPDATE),
        (lambda kyc, id_: kyc.invalidate(id_, reason="reversed"), Invalidated, DELETE),
        (lambda kyc, id_: kyc.supersede(id_, by=preference(kyc, "Something else")), Superseded, DELETE),
    ],
    ids=["archive", "exempt", "invalidate", "supersede"],
)
def test_each_word_about_a_record_is_kept_and_can_be_undone(
    kyc: lamina.AnchoredMemory,
    retire: Callable[[lamina.AnchoredMemory, MemoryId], lamina.Outcome],
    kind: type,
    decision: lamina.Decision,
) -> None:
    fact = preference(kyc)
    assert retire(kyc, fact).decision is decision
    assert isinstance(state(kyc, fact), kind)
    again = retire(kyc, fact)
    assert again.decision is REFUSED
    assert str(fact) in again.reason
    word = next(entry for entry in kyc.history(fact)[0].decisions if entry.outcome.decision is decision)
    assert kyc.undo(word.id, reason="a mistake").decision is UPDATE
    assert isinstance(state(kyc, fact), Active)


def test_undoing_a_reversal_brings_the_old_one_back(kyc: lamina.AnchoredMemory) -> None:
    old = kyc.prefer("Concise distillations", claim=CONCISE)
    new = kyc.prefer("Long distillations", claim=lamina.Claim("operator 7", "style", "long"))
    decision = last_decision(kyc, new.id)
    undone = kyc.undo(decision, reason="the wrong operator")
    assert undone.decision is UPDATE
    assert isinstance(state(kyc, old.id), Active)
    assert isinstance(state(kyc, new.id), Archived)
    twice = kyc.undo(decision, reason="again")
    assert (twice.decision, twice.rule) == (REFUSED, "undo")
    assert twice.reason.endswith("came after it: decide anew what should hold")
    of_undo = kyc.undo(last_decision(kyc, old.id), reason="on second thoughts")
    assert (of_undo.decision, of_undo.reason) == (REFUSED, "an undo is not undone: decide anew what should hold")


def test_only_what_changed_something_can_be_undone(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    kyc.link_action("rule_promotion", "rule 7", [fact])
    assert kyc.undo(last_decision(kyc, fact), reason="?").reason.startswith("NOOP changed no record")
    assert kyc.undo(DecisionId(uuid4()), reason="?").rule == "anchor"


def test_a_plan_decides_and_does_nothing(kyc: lamina.AnchoredMemory) -> None:
    first = preference(kyc, "Concise distillations")
    plan = kyc.plan()
    assert plan.archive(first, reason="stale").decision is DELETE
    assert plan.prefer("Never on Mondays").decision is ADD
    assert plan.prefer("Never on Mondays", confidence=0.1).rule == "write-policy"
    with plan.session() as session:
        assert session.observe("The gate refused a proposal").decision is ADD
    assert isinstance(state(kyc, first), Active)
    assert len(kyc.history(first)[0].decisions) == 1
    assert [hit.record.id for hit in kyc.recall("anything at all", include_retired=True)] == [first]


def test_bad_input_is_refused_and_the_state_is_what_it_was(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    before = kyc.history(fact)[0].record
    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    refusals = [
        kyc.archive(NOWHERE, reason="?"),
        kyc.supersede(fact, by=NOWHERE),
        kyc.supersede(fact, by=fact),
        kyc.propose("A fact from nothing"),
        kyc.propose("A fact from elsewhere", because=[NOWHERE]),
    ]
    assert {refusal.decision for refusal in refusals} == {REFUSED}
    with pytest.raises(lamina.LaminaError, match="aspect"):
        lamina.Claim("gate", " ", "x")
    assert kyc.history(fact)[0].record == before
    began = before.validity.valid_at
    early = kyc.invalidate(fact, reason="never so", since=long_ago)
    assert (early.decision, early.rule) == (REFUSED, "validity")
    assert early.reason == f"it is so since {began.isoformat()}: give a later `since`, or that instant if it never was"
    assert kyc.history(fact)[0].record == before
    assert kyc.invalidate(fact, reason="never so", since=began).decision is DELETE
    ended = kyc.history(fact)[0].record.validity
    assert ended.invalid_at == ended.valid_at


def test_a_retired_record_is_not_corroborated(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    kyc.archive(fact, reason="stale")
    refused = kyc.corroborate(fact, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert (refused.rule, refused.reason) == (
        "corroboration",
        f"{fact} is archived: what is retired is not corroborated",
    )


def test_a_backdated_fact_ends_where_the_next_begins(kyc: lamina.AnchoredMemory) -> None:
    now = datetime.now(UTC)
    kyc.prefer("Concise distillations", claim=CONCISE, at=now - timedelta(days=1))
    earlier = kyc.prefer(
        "Long distillations", claim=lamina.Claim("operator 7", "style", "long"), at=now - timedelta(days=9)
    )
    assert earlier.decision is ADD
    (chapter,) = kyc.history(earlier.id)
    assert chapter.record.validity.invalid_at == now - timedelta(days=1)
    shown = kyc.inject("distillations", 400).text.splitlines()
    (over,) = [line for line in shown if line.endswith('"Long distillations"')]
    assert f"until {now - timedelta(days=1):%Y-%m-%d}; no longer so]" in over
    (held,) = [line for line in shown if line.endswith('"Concise distillations"')]
    assert "no longer" not in held


def test_an_undo_brings_an_exemption_back_too(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    kyc.exempt(fact, reason="a landmark").require()
    for retire in (kyc.archive, kyc.invalidate):
        retire(fact, reason="stale").require()
        kyc.undo(last_decision(kyc, fact), reason="a mistake").require()
        was = state(kyc, fact)
        assert isinstance(was, Exempted)
        assert was.reason == "a landmark"


def test_an_undo_does_not_bring_back_what_clashes_by_now(kyc: lamina.AnchoredMemory) -> None:
    old = kyc.prefer("Concise distillations", claim=CONCISE).id
    kyc.archive(old, reason="stale").require()
    archived = last_decision(kyc, old)
    new = kyc.prefer("Long distillations", claim=lamina.Claim("operator 7", "style", "long")).id
    clash = kyc.undo(archived, reason="a mistake")
    assert (clash.rule, clash.reason) == ("undo", f"{new} says otherwise of the same matter by now: retire that first")
    kyc.archive(new, reason="stale").require()
    assert kyc.undo(archived, reason="a mistake").decision is UPDATE


def test_an_undo_takes_nothing_from_beneath_an_action(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    written = last_decision(kyc, fact)
    kyc.link_action("refund", "r-1", [fact]).require()
    refused = kyc.undo(written, reason="a mistake")
    assert (refused.rule, refused.reason) == ("undo", f"refund r-1 was justified by {fact}: it stays as it is")
    assert isinstance(state(kyc, fact), Active)


def test_what_was_dropped_with_its_session_is_not_brought_back(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        seen = session.observe("The gate refused a proposal").id
    with kyc._resources.store.reading(kyc.anchor) as unit:
        dropped = unit.decisions.about(seen)[-1]
    refused = kyc.undo(dropped.id, reason="a mistake")
    assert (refused.rule, refused.reason) == ("undo", f"{seen} was dropped with its scope: it cannot come back")


def test_a_word_that_changed_nothing_is_not_undone_and_is_in_no_way(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        held = session.propose("The gate wants citations", because=[session.observe("It was seen").id])
        first = last_decision(kyc, held.id)
        again = kyc.corroborate(held.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4(), session.id))
        assert again.decision is lamina.Decision.HELD
        assert kyc.undo(last_decision(kyc, held.id), reason="?").reason.startswith("HELD changed no record")
        assert kyc.undo(first, reason="a mistake").decision is UPDATE
    assert isinstance(state(kyc, held.id), Archived)


def test_what_comes_last_does_not_depend_on_the_clock(url: str) -> None:
    clock = Clock()
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=EMBEDDER, clock=clock) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        fact = preference(kyc)
        kyc.exempt(fact, reason="a landmark").require()
        exempted = last_decision(kyc, fact)
        clock.turn(hours=-5)
        kyc.archive(fact, reason="stale").require()
        assert kyc.undo(exempted, reason="?").reason.startswith("archive (decision")


def test_nothing_rests_on_what_was_erased(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    kyc.archive(fact, reason="stale").require()
    kyc.erase(fact, reason="asked for").require()
    told = f"{fact} is no memory of this anchor, or was erased"
    for refused in (kyc.link_action("refund", "r-1", [fact]), kyc.propose("A fact", because=[fact])):
        assert (refused.rule, refused.reason) == ("evidence", told)
    assert kyc.audit().broken == []


def test_a_record_does_not_contradict_itself(kyc: lamina.AnchoredMemory) -> None:
    fact = preference(kyc)
    assert kyc.contradict(fact, other=fact, note="?").rule == "contradiction"
    assert kyc.contradictions() == []


def test_what_was_held_is_held_again(kyc: lamina.AnchoredMemory) -> None:
    """An undo is no way around the promotion criteria."""
    with kyc.session() as session:
        held = session.propose("The gate wants citations", because=[session.observe("It was seen").id]).id
    kyc.archive(held, reason="stale").require()
    kyc.undo(last_decision(kyc, held), reason="a mistake").require()
    was = state(kyc, held)
    assert isinstance(was, Candidate)
    assert (was.criterion, was.reason) == ("corroborated", "1 of 2 independent corroborations")
    granted = kyc.corroborate(held, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert granted.decision is ADD
