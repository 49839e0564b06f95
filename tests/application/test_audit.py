"""The audit tells what somebody should look at, and whether every promise holds; it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from tests.application.conftest import EMBEDDER, Clock

import lamina
from lamina.application.deciding import sure
from lamina.domain.auditing import Concern, Promise
from lamina.domain.ids import MemoryId
from lamina.domain.record import Origin
from lamina.domain.retention import RetentionState
from lamina.domain.transitions import archive, supersede
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.testing.samples import record

RULE = UUID(int=7)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kyc(url: str, clock: Clock) -> Iterator[lamina.AnchoredMemory]:
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=EMBEDDER, clock=clock) as memory:
        yield memory.at(org_id="acme", domain_id="kyc")


def fact(kyc: lamina.AnchoredMemory, text: str, claim: lamina.Claim | None = None) -> MemoryId:
    with kyc.session() as session:
        seen = session.observe(f"It was seen: {text}")
        held = session.propose(text, claim=claim, because=[seen.id])
    source = lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())
    return kyc.corroborate(held.id, source).require().id


def told(kyc: lamina.AnchoredMemory, about: Concern | Promise) -> dict[MemoryId, str]:
    report = kyc.audit()
    found = {doubt.memory_id: doubt.words for _, doubt in report.examples if doubt.about is about}
    assert report.counts[about] == len(found)
    return found


def test_a_memory_that_nothing_is_wrong_with(kyc: lamina.AnchoredMemory) -> None:
    first = fact(kyc, "The gate wants citations", lamina.Claim("gate", "requires", "citations"))
    fact(kyc, "The gate wants signatures now", lamina.Claim("gate", "requires", "signatures"))
    kyc.prefer("Concise distillations")
    kyc.link_action("rule_promotion", "p-1", [first])
    report = kyc.audit()
    assert (report.broken, report.examples) == ([], [])
    assert report.records == 3
    assert report.retention == {RetentionState.ACTIVE: 2, RetentionState.REFERENCED: 1}


def test_what_nobody_has_confirmed_for_long(kyc: lamina.AnchoredMemory, clock: Clock) -> None:
    old = fact(kyc, "The gate wants citations")
    clock.turn(days=200)
    fact(kyc, "The queue is sorted by date")
    assert told(kyc, Concern.STALE) == {old: "nobody has confirmed it for 200 days"}
    kyc.corroborate(old, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    assert told(kyc, Concern.STALE) == {}


def test_a_text_with_nothing_to_find_it_by(kyc: lamina.AnchoredMemory) -> None:
    junk = kyc.prefer("... !!! ...").require().id
    assert set(told(kyc, Concern.JUNK)) == {junk}


def test_what_says_the_same_and_what_reads_alike(kyc: lamina.AnchoredMemory) -> None:
    long = "The conformity gate of the onboarding domain wants authoritative citations for each and every claim of a"
    one, other = fact(kyc, f"{long} person"), fact(kyc, f"{long} company")
    assert told(kyc, Concern.DUPLICATE) == {other: f"{one} reads like it, but 'person' became 'company'"}
    with kyc._resources.store.unit(kyc.anchor) as unit:
        unit.records.add([Entry(record("a twin", kyc.anchor, body=f"{long} Person!"))])
    assert sorted(words.partition(" ")[2] for words in told(kyc, Concern.DUPLICATE).values()) == [
        "reads like it, but 'person' became 'company'",
        "says the same",
    ]


def test_what_a_session_was_shown_and_wrote_down_again(kyc: lamina.AnchoredMemory, clock: Clock) -> None:
    """The gateway refuses it; whoever writes past the gateway is found out."""
    known = fact(kyc, "The gate wants citations from authoritative sources")
    session = kyc.session()
    now = kyc._resources.clock.now()
    echo = record(
        "echo",
        kyc.anchor,
        body="The gate wants citations from authoritative sources!",
        validity=Validity(now),
        origin=Origin(session.id, None, 0),
    )
    with kyc._resources.store.unit(kyc.anchor) as unit:
        unit.injections.add(session.id, [known], now)
        unit.records.add([Entry(echo)])
    assert set(told(kyc, Concern.ECHO)) == {echo.id}


def test_a_reference_to_what_a_rule_no_longer_says(kyc: lamina.AnchoredMemory) -> None:
    kyc.add_rules([lamina.Rule(lamina.RuleRef(RULE, "v1"), "Cite.")])
    known = fact(kyc, "The gate wants citations")
    with kyc._resources.store.unit(kyc.anchor) as unit:
        unit.rule_references.add(known, [lamina.RuleRef(RULE, "v1")])
    assert told(kyc, Concern.ORPHAN_REFERENCE) == {}
    kyc.add_rules([lamina.Rule(lamina.RuleRef(RULE, "v2"), "Sign.")])
    assert told(kyc, Concern.ORPHAN_REFERENCE) == {known: f"rule {RULE} v1 says something else in v2"}
    kyc.dream()
    assert told(kyc, Concern.ORPHAN_REFERENCE) == {}, "it was archived"


def test_what_was_superseded_by_something_else(kyc: lamina.AnchoredMemory) -> None:
    """What a careless program did past the verbs is a false supersession; what somebody said is not."""
    tea, gate = fact(kyc, "Tea is served", lamina.Claim("tea", "is", "served")), fact(kyc, "The gate is shut")
    by_hand, queue = fact(kyc, "Onions are red"), fact(kyc, "Queues are sorted", lamina.Claim("queue", "is", "sorted"))
    kyc.supersede(by_hand, by=gate).require()
    lone = fact(kyc, "Nobody works on Sunday")
    with kyc._resources.store.unit(kyc.anchor) as unit:
        there = unit.records.get([tea, gate, queue, lone])
        unit.records.change(sure(supersede(there[tea], there[queue], kyc._resources.clock.now())))
        unit.records.change(sure(supersede(there[lone], there[gate], kyc._resources.clock.now())))
    found = told(kyc, Concern.FALSE_SUPERSESSION)
    assert set(found) == {tea, lone}
    assert "'is' of 'queue', not 'is' of 'tea'" in found[tea]
    assert "hardly a word in common" in found[lone]
    assert set(told(kyc, Promise.EXPLAINED)) == {tea, lone}


def test_a_record_that_no_decision_speaks_of_breaks_a_promise(kyc: lamina.AnchoredMemory) -> None:
    smuggled, put_away = record("smuggled", kyc.anchor), record("put away", kyc.anchor)
    with kyc._resources.store.unit(kyc.anchor) as unit:
        unit.records.add([Entry(smuggled), Entry(put_away)])
        unit.records.change(sure(archive(put_away, put_away.recorded_at, "quietly")))
    report = kyc.audit()
    assert report.broken == [Promise.TOLD, Promise.EXPLAINED]
    assert set(told(kyc, Promise.TOLD)) == {smuggled.id, put_away.id}
    assert told(kyc, Promise.EXPLAINED) == {put_away.id: "it is archived, and no decision says why"}


def test_what_is_led_on_to_nothing_breaks_a_promise(kyc: lamina.AnchoredMemory) -> None:
    known = fact(kyc, "The gate wants citations")
    nobody = record("nobody", kyc.anchor)
    with kyc._resources.store.unit(kyc.anchor) as unit:
        unit.records.change(sure(supersede(unit.records.get([known])[known], nobody, kyc._resources.clock.now())))
    assert told(kyc, Promise.LEADS_ON) == {known: f"{nobody.id} is not there"}
