"""Tier boundaries: what moves up, what is known already, what is dropped, and what stays because something needs it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.application.closing import Closed
from lamina.domain.errors import UnknownRecord
from lamina.domain.state import Archived, Exempted
from lamina.domain.tier import Boundary, BoundaryKind
from lamina.testing.contracts.canonical_rules import BODY

ADD, NOOP, DELETE = lamina.Decision.ADD, lamina.Decision.NOOP, lamina.Decision.DELETE
TIERS = lamina.Tier


def bodies(memory: lamina.AnchoredMemory, *tiers: lamina.Tier) -> list[str]:
    return sorted(hit.record.body for hit in memory.recall("tea milk gate", limit=100, tiers=tiers or list(TIERS)))


def test_an_assistants_episodes_move_up_with_each_scope(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        with session.interaction() as turn:
            seen = turn.observe("Ann takes her tea without milk", tags={"about": "tea"})
            assert bodies(ann) == bodies(ann, TIERS.INTERACTION) == ["Ann takes her tea without milk"]
        assert bodies(ann) == bodies(ann, TIERS.SESSION), "it moved up, and was not copied"
    (hit,) = ann.recall("tea")
    assert hit.record.tier is TIERS.PERSISTENT
    assert dict(hit.record.tags) == {"about": "tea"}
    assert hit.record.origin is not None
    assert hit.record.origin.session_id == session.id
    with pytest.raises(UnknownRecord):
        ann.history(seen.id)


def test_what_other_sessions_hold_hides_nothing_of_this_one(ann: lamina.AnchoredMemory) -> None:
    own, *others = [ann.session() for _ in range(5)]
    for session in (own, *others):
        with session.interaction() as turn:
            turn.observe("Ann takes her tea without milk")
    again = own.interaction()
    again.observe("Ann takes her tea without milk")
    assert [outcome.decision for outcome in again.close().outcomes] == [NOOP, DELETE], "it was there already"


def test_a_world_agents_episodes_are_dropped_with_their_session(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        with session.interaction() as turn:
            turn.observe("The gate refused a proposal")
        assert bodies(kyc) == ["The gate refused a proposal"]
    assert bodies(kyc) == []
    assert kyc.recall("gate", include_retired=True) == []


def test_entering_another_domain_ends_the_session_here(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> None:
    session = kyc.session()
    session.observe("The gate refused a proposal")
    elsewhere = session.enter(domain_id="aml")
    assert elsewhere.scope.anchor == memory.at(org_id="acme", domain_id="aml").anchor
    assert bodies(kyc) == [], "what was left behind was dropped"
    assert session.observe("too late").rule == "scope"
    assert elsewhere.enter(domain_id="aml") is elsewhere
    with pytest.raises(lamina.LaminaError, match="bogus"):
        elsewhere.enter(bogus="x")
    assert elsewhere.observe("The gate is here too").decision is ADD


def test_escalating_lifts_what_qualifies_and_goes_on(urls: Urls) -> None:
    session_tier = lamina.ASSISTANT_AGENT.tiers[1]
    escalation = Boundary(kind=BoundaryKind.ANCHOR_ESCALATION, event="the user agrees")
    tiers = list(lamina.ASSISTANT_AGENT.tiers)
    tiers[1] = session_tier.model_copy(update={"boundaries": (*session_tier.boundaries, escalation)})
    spec = lamina.ASSISTANT_AGENT.model_copy(update={"tiers": tuple(tiers)})
    with lamina.open(urls(spec), spec=spec, embedder=EMBEDDER) as memory:
        ann = memory.at(user_id="ann")
        session = ann.session()
        seen = session.observe("Ann takes her tea without milk")
        assert session.escalate().count(ADD) == 1
        assert bodies(ann) == bodies(ann, TIERS.PERSISTENT) == ["Ann takes her tea without milk"]
        assert session.escalate().outcomes == ()
        session.observe("Ann takes 2 cups of tea")
        fact = session.propose("Ann drinks tea", because=[seen.id])
        assert fact.decision is lamina.Decision.HELD, "its evidence is found where it is now"
        session.close()
        assert len(bodies(ann)) == 2
        assert session.escalate().outcomes[0].rule == "scope"


def test_a_boundary_that_the_spec_does_not_have_cannot_be_crossed(ann: lamina.AnchoredMemory) -> None:
    session = ann.session()
    for cross in (session.escalate, lambda: session.enter(user_id="bob")):
        with pytest.raises(lamina.LaminaError, match="declare one in the spec's tiers"):
            cross()
    assert session.observe("Ann is still here").decision is ADD


def test_saying_it_again_is_known_already_and_a_changed_value_is_not(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        session.observe("Ann takes her tea without milk")
        session.observe("Ann takes her tea without milk!")
        session.observe("Ann takes her tea with milk")
    again = ann.session()
    again.observe("ann takes her tea without milk")
    again.observe("Ann takes 2 cups of tea")
    again.observe("Ann takes 3 cups of tea")
    closed = again.close()
    assert (closed.count(ADD), closed.count(NOOP)) == (2, 1)
    assert bodies(ann) == [
        "Ann takes 2 cups of tea",
        "Ann takes 3 cups of tea",
        "Ann takes her tea with milk",
        "Ann takes her tea without milk",
    ]


def test_what_something_points_at_stays_and_is_put_away(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        evidence = session.observe("The gate refused a proposal")
        acted = session.observe("The gate let one pass")
        spoken = session.observe("The gate was slow")
        plain = session.observe("The gate is green")
        held = session.propose("The gate wants citations", because=[evidence.id])
        kyc.link_action("rule_promotion", "rule 7", [acted.id])
        kyc.corroborate(spoken.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert held.decision is lamina.Decision.HELD
    assert bodies(kyc) == []
    for kept, why in ((evidence, "evidence for another"), (acted, "an action was"), (spoken, "somebody has spoken")):
        (chapter,) = kyc.history(kept.id)
        assert isinstance(chapter.record.state, Archived)
        assert why in chapter.record.state.reason
        assert [entry.verb for entry in chapter.decisions][-1] == "close"
    with pytest.raises(UnknownRecord):
        kyc.history(plain.id)


def test_an_error_inside_a_scope_still_closes_it(ann: lamina.AnchoredMemory) -> None:
    with pytest.raises(ZeroDivisionError), ann.session() as session, session.interaction() as turn:
        turn.observe("Ann takes her tea without milk")
        raise ZeroDivisionError
    assert bodies(ann, TIERS.PERSISTENT) == ["Ann takes her tea without milk"]


def test_a_closed_scope_takes_nothing_and_is_closed_once(ann: lamina.AnchoredMemory) -> None:
    session = ann.session()
    session.observe("Ann takes her tea without milk")
    assert session.close().count(ADD) == 1
    for refused in (
        *session.close().outcomes,
        session.observe("more milk"),
        session.prefer("less milk"),
        session.propose("milk is white"),
    ):
        assert (refused.decision, refused.rule) == (lamina.Decision.REFUSED, "scope")
        assert refused.reason == "this session is closed: open another"
    assert bodies(ann) == ["Ann takes her tea without milk"]


def test_a_turn_of_a_closed_session_is_closed(ann: lamina.AnchoredMemory) -> None:
    session = ann.session()
    session.close()
    with session.interaction() as turn:
        refused = turn.observe("Ann takes her tea without milk")
    assert (refused.rule, refused.reason) == ("scope", "this session is closed: open another")
    assert turn.close().outcomes[0].rule == "scope"
    assert bodies(ann) == []


def test_an_exemption_moves_up_with_its_record(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        seen = session.observe("Ann takes her tea without milk")
        ann.exempt(seen.id, reason="a landmark").require()
    (hit,) = ann.recall("tea", tiers=[TIERS.PERSISTENT])
    assert isinstance(hit.record.state, Exempted)
    assert hit.record.state.reason == "a landmark"


def test_a_session_is_closed_though_what_it_saw_became_a_rule(kyc: lamina.AnchoredMemory) -> None:
    session = kyc.session()
    turn = session.interaction()
    turn.observe(BODY)
    kyc.add_rules([lamina.Rule(lamina.RuleRef(uuid4(), "v1"), BODY)])
    (dropped,) = turn.close().outcomes
    assert (dropped.decision, dropped.reason) == (DELETE, "its interaction ended, and a canonical rule says it by now")
    assert bodies(kyc) == []


def test_a_plan_of_a_close_says_what_the_close_does(ann: lamina.AnchoredMemory, kyc: lamina.AnchoredMemory) -> None:
    for memory, left in ((ann, 2), (kyc, 0)):
        session = memory.session()
        session.interaction().observe("Ann takes her tea without milk")
        session.observe("Ann takes 2 cups of tea")
        planned = told(memory.plan().session(session.id).close())
        assert len(bodies(memory)) == 2, "nothing was done"
        assert told(memory.session(session.id).close()) == planned
        assert len(bodies(memory)) == left


def told(closed: Closed) -> list[tuple[lamina.Decision, str, int]]:
    return [(one.decision, one.reason, len(one.ids)) for one in closed.outcomes]


def test_session_memory_stays_for_its_interaction_window(kyc: lamina.AnchoredMemory) -> None:
    session = kyc.session()
    turn = session.interaction()
    session.observe("The gate refused a proposal")
    assert session.close().outcomes == ()
    assert bodies(kyc) == ["The gate refused a proposal"], "an interaction is still going on"
    turn.close()
    assert bodies(kyc) == []


def test_a_session_goes_on_where_it_was_left(ann: lamina.AnchoredMemory) -> None:
    first = ann.session()
    first.observe("Ann takes her tea without milk")
    again = ann.session(first.id)
    again.observe("Ann takes 2 cups of tea")
    again.close()
    places = {hit.record.body: hit.record.origin.position for hit in ann.recall("tea") if hit.record.origin}
    assert places == {"Ann takes her tea without milk": 0, "Ann takes 2 cups of tea": 1}


def test_references_to_rules_move_up_too(url: str) -> None:
    keeps_episodes = lamina.WORLD_AGENT.model_copy(
        update={"typology": {**lamina.WORLD_AGENT.typology, TIERS.PERSISTENT: tuple(lamina.Typology)}}
    )
    rule = lamina.Rule(lamina.RuleRef(uuid4(), "v1"), "Cite sources.")
    with lamina.open(url, spec=keeps_episodes, embedder=EMBEDDER) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        kyc.add_rules([rule])
        with kyc.session() as session:
            session.observe("The gate wants what the rule says", rules=[rule.ref])
        (hit,) = kyc.recall("gate")
        assert hit.record.tier is TIERS.PERSISTENT
        assert [chapter.rules for chapter in kyc.history(hit.record.id)] == [frozenset({rule.ref})]


def test_what_moved_up_still_speaks_for_a_fact(ann: lamina.AnchoredMemory) -> None:
    seen = []
    for number in range(2):
        with ann.session() as session, session.interaction() as turn:
            seen.append(turn.observe(f"Ann refused milk {number} times").id)
    fact = ann.propose("Ann takes no milk", because=seen)
    assert fact.decision is ADD
    (chapter,) = ann.history(fact.id)
    assert {one.session_id for one in chapter.corroborations if one.session_id} != set()
    assert len(chapter.corroborations) == 2
