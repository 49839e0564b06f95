"""Maintenance: what nobody closed is closed, each record comes to what its lifecycle says, nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.application.conftest import EMBEDDER, Clock, Urls

import lamina
from lamina.application.closing import close
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.dreaming import Done
from lamina.domain.ids import MemoryId
from lamina.domain.record import Reach
from lamina.domain.state import Archived, Exempted, Invalidated, Promoted, State, Superseded, Tombstoned
from lamina.ports.merger import Merged
from lamina.testing.contracts.canonical_rules import BODY

CITES = lamina.Claim("gate", "requires", "citations")
RULE = UUID(int=7)
OPERATOR = lamina.SourceType.OPERATOR_INPUT


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def world(url: str, clock: Clock) -> Iterator[lamina.Memory]:
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=EMBEDDER, clock=clock) as memory:
        yield memory


@pytest.fixture
def gate(world: lamina.Memory) -> lamina.AnchoredMemory:
    return world.at(org_id="acme", domain_id="kyc")


@pytest.fixture
def chat(urls: Urls, clock: Clock) -> Iterator[lamina.Memory]:
    with lamina.open(urls(lamina.ASSISTANT_AGENT), embedder=EMBEDDER, clock=clock) as memory:
        yield memory


def source(number: int | None = None) -> lamina.Source:
    return lamina.Source(OPERATOR, UUID(int=number) if number else uuid4())


def fact(gate: lamina.AnchoredMemory, text: str = "The gate wants citations", **more: Any) -> MemoryId:
    """A fact that two voices speak for."""
    with gate.session() as session:
        seen = session.observe(f"Somebody saw it: {text}")
        held = session.propose(text, because=[seen.id], **more)
    return gate.corroborate(held.id, source()).require().id


def state(memory: lamina.AnchoredMemory, memory_id: MemoryId) -> State:
    return memory.history(memory_id)[0].record.state


def test_a_session_whose_process_died_is_closed(chat: lamina.Memory, clock: Clock) -> None:
    ann = chat.at(user_id="ann")
    left = ann.session()
    left.interaction().observe("Ann takes her tea without milk")
    assert ann.dream().sessions_closed == 0, "somebody may still hold it"
    clock.turn(hours=25)
    in_use = ann.session()
    in_use.observe("Ann is here")
    report = chat.dream()
    assert (report.sessions_closed, report.counts[Done.MOVED_UP]) == (1, 2)
    assert [hit.record.body for hit in ann.recall("tea", tiers=[lamina.Tier.PERSISTENT])] == [
        "Ann takes her tea without milk"
    ]
    assert chat.dream().changed == 0
    assert in_use.close().count(lamina.Decision.ADD) == 1


def test_a_close_that_was_interrupted_is_gone_on_with(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    """The process died between the two steps of the clean-up."""
    session = gate.session()
    seen = session.observe("The gate refused a proposal")
    with gate._resources.store.unit(gate.anchor) as unit:
        unit.scope_cleanup.detach([seen.id])
    clock.turn(days=2)
    assert gate.dream().counts[Done.DROPPED] == 1
    assert close(gate._resources, session.scope).outcomes == ()


def test_an_episode_comes_to_an_outcome_when_its_time_is_up(chat: lamina.Memory, clock: Clock) -> None:
    ann = chat.at(user_id="ann")
    with ann.session() as session:
        for text in ("Ann likes tea", "Ann lives in Bath", "Ann paid the bill", "Ann was born in May"):
            session.observe(text)
    by = {hit.record.body: hit.record.id for hit in ann.recall("Ann", limit=9)}
    ann.link_action("refund", "r-1", [by["Ann paid the bill"]]).require()
    ann.exempt(by["Ann was born in May"], reason="a landmark").require()
    for number in (1, 2):
        ann.corroborate(by["Ann lives in Bath"], source(number)).require()
    clock.turn(days=89)
    assert ann.dream().changed == 0
    clock.turn(days=1)
    report = ann.dream()
    assert report.counts == {Done.ARCHIVED: 1, Done.EXEMPTED: 1, Done.BECAME_FACT: 1}
    assert isinstance(state(ann, by["Ann likes tea"]), Archived)
    assert isinstance(state(ann, by["Ann paid the bill"]), Exempted)
    risen = state(ann, by["Ann lives in Bath"])
    assert isinstance(risen, Promoted)
    (found,) = ann.recall("Where does Ann live?", typologies=[lamina.Typology.SEMANTIC])
    assert (found.record.id, found.record.body) == (risen.into, "Ann lives in Bath")
    assert ann.dream().changed == 0, "done again, it finds nothing to do"


def test_a_fact_ends_with_its_rule(gate: lamina.AnchoredMemory) -> None:
    v1, v2 = (lamina.RuleRef(RULE, version) for version in ("v1", "v2"))
    gate.add_rules([lamina.Rule(v1, "Cite."), lamina.Rule(lamina.RuleRef(UUID(int=8), "v1"), "Wait.")])
    rests = fact(gate, "The gate wants citations", rules=[v1])
    partly = fact(gate, "It also waits", rules=[v1, lamina.RuleRef(UUID(int=8), "v1")])
    pinned = fact(gate, "It was acted on", rules=[v1])
    gate.link_action("rule_promotion", "p-1", [pinned]).require()
    assert gate.dream().changed == 0
    gate.add_rules([lamina.Rule(v2, "Sign.")])
    report = gate.dream()
    assert report.counts == {Done.ARCHIVED: 1, Done.DISPUTED: 1, Done.INVALIDATED: 1}
    archived = state(gate, rests)
    assert isinstance(archived, Archived)
    assert archived.reason == "its canonical source changed"
    assert isinstance(state(gate, pinned), Invalidated)
    (open_,) = gate.contradictions(ContradictionStatus.OPEN)
    assert (open_.memory_id, open_.against) == (partly, v2)
    assert gate.dream().changed == 0, "it is disputed once"


def test_what_is_not_so_yet_takes_its_place_when_it_is(chat: lamina.Memory, clock: Clock) -> None:
    ann, may = chat.at(user_id="ann"), clock.time + timedelta(days=60)
    home = {city: lamina.Claim("Ann", "lives in", city) for city in ("Paris", "Rome")}
    paris = ann.prefer("Ann lives in Paris", claim=home["Paris"]).require().id
    clock.turn(days=1)
    rome = ann.prefer("Ann lives in Rome", claim=home["Rome"], at=may)
    assert (rome.decision, rome.rule) == (lamina.Decision.HELD, "validity")
    assert rome.reason == f"it is so from {may:%Y-%m-%d %H:%M} on: maintenance places it then"

    def lives() -> list[str]:
        now = ann.as_of().recall("lives")
        assert [hit.record.id for hit in now] == [hit.record.id for hit in ann.recall("lives")]
        return [hit.record.body for hit in now]

    assert chat.dream().counts[Done.GRANTED] == 0
    assert lives() == ["Ann lives in Paris"]
    clock.turn(days=59)
    assert chat.dream().counts[Done.GRANTED] == 1
    assert lives() == ["Ann lives in Rome"]
    assert isinstance(state(ann, paris), Superseded)
    assert ann.history(rome.id)[0].record.validity.valid_at == may


def test_a_clock_that_is_a_little_ahead_holds_nothing_up(chat: lamina.Memory, clock: Clock) -> None:
    ann = chat.at(user_id="ann")
    ann.prefer("Short answers", at=clock.time + timedelta(minutes=50)).require()
    assert [hit.record.body for hit in ann.recall("answers")] == ["Short answers"]


def test_a_fact_that_is_not_so_yet_is_held_however_many_speak_for_it(
    gate: lamina.AnchoredMemory, world: lamina.Memory, clock: Clock
) -> None:
    may = clock.time + timedelta(days=60)
    fact(gate, claim=CITES)
    with gate.session() as session:
        seen = session.observe("They decided to ask for nothing from May on")
        wants = session.propose(
            "The gate wants nothing", claim=lamina.Claim("gate", "requires", "nothing"), because=[seen.id], at=may
        )
    for _ in range(2):
        last = gate.corroborate(wants.id, source())
    assert (last.decision, last.rule) == (lamina.Decision.HELD, "validity")
    world.dream()
    (hit,) = gate.recall("gate wants", typologies=[lamina.Typology.SEMANTIC])
    assert hit.record.body == "The gate wants citations"
    clock.turn(days=61)
    world.dream()
    (hit,) = gate.recall("gate wants", typologies=[lamina.Typology.SEMANTIC])
    assert hit.record.body == "The gate wants nothing"


def test_a_fact_that_nobody_can_confirm_is_archived(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    known = fact(gate)
    for number in range(3):
        clock.turn(days=1)
        gate.corroborate(known, source(number + 1), outcome="failed").require()
        expected = {Done.ARCHIVED: 1} if number == 2 else {}
        assert gate.dream().counts == expected
    assert [entry.verb for entry in gate.history(known)[0].decisions][-1] == "dream"


def test_a_fact_that_persists_reaches_further(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    gate.add_rules([lamina.Rule(lamina.RuleRef(RULE, "v1"), "Cite.")])
    known = fact(gate.in_version("v1"), claim=CITES, rules=[lamina.RuleRef(RULE, "v1")])
    clock.turn(days=30)
    for number in range(1, 4):
        with gate.session() as session:
            carry = lamina.Source(lamina.SourceType.CROSS_VERSION_CARRY, UUID(int=number), session.id)
            gate.in_version("v2").corroborate(known, carry).require()
    assert gate.dream().counts == {Done.WIDENED: 1}
    old, new = gate.history(known)
    assert isinstance(old.record.state, Superseded)
    assert (new.record.reach, new.record.claim, new.record.body) == (Reach.CROSS_VERSION, CITES, old.record.body)
    assert new.rules == old.rules
    assert len(new.corroborations) == 5
    assert gate.dream().changed == 0
    word = new.decisions[-1]
    assert gate.undo(word.id, reason="too soon").decision is lamina.Decision.UPDATE
    assert gate.history(known)[-1].record.live


def test_a_fact_that_became_a_rule_keeps_maintenance_from_nothing(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    gate.add_rules([lamina.Rule(lamina.RuleRef(RULE, "v1"), "Cite.")])
    known = fact(gate.in_version("v1"), BODY, rules=[lamina.RuleRef(RULE, "v1")])
    gate.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=9), "v1"), BODY)])
    clock.turn(days=30)
    for number in range(1, 4):
        gate.in_version("v2").corroborate(known, source(number)).require()
    assert gate.dream().changed == 0, "it would be written anew, and no store takes it again"
    assert gate.history(known)[-1].record.live


def test_what_fades_is_counted_and_left_alone(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    fact(gate)
    clock.turn(days=179)
    assert gate.dream().fading == 0
    clock.turn(days=2)
    report = gate.dream()
    assert (report.fading, report.changed) == (1, 0)


def test_a_plan_of_it_changes_nothing(gate: lamina.AnchoredMemory, clock: Clock) -> None:
    known = fact(gate)
    for number in range(3):
        clock.turn(days=1)
        gate.corroborate(known, source(number + 1), outcome="failed")
    assert gate.plan().dream().counts == {Done.ARCHIVED: 1}
    assert gate.history(known)[0].record.live
    assert gate.dream().counts == {Done.ARCHIVED: 1}


def test_several_workers_do_nothing_twice(chat: lamina.Memory, clock: Clock) -> None:
    users = [f"user {number}" for number in range(4)]
    for user in users:
        with chat.at(user_id=user).session() as session:
            session.observe_many([lamina.Observation(f"{user} said thing number {number}") for number in range(30)])
    clock.turn(days=91)
    with ThreadPoolExecutor(4) as workers:
        reports = list(workers.map(lambda _: chat.dream(), range(4)))
    assert sum(report.counts[Done.ARCHIVED] for report in reports) == 120
    for user in users:
        assert chat.at(user_id=user).recall("thing", limit=99) == []


def test_an_erasure_blanks_what_nothing_points_at(gate: lamina.AnchoredMemory) -> None:
    known, used = fact(gate), fact(gate, "The gate wants signatures")
    assert gate.erase(known, reason="asked for").rule == "tombstone", "it is live"
    gate.link_action("rule_promotion", "p-1", [used]).require()
    for id_ in (known, used):
        gate.invalidate(id_, reason="no longer so").require()
    assert "REFERENCED" in gate.erase(used, reason="asked for").reason
    gate.erase(known, reason="asked for").require()
    (chapter,) = gate.history(known)
    assert isinstance(chapter.record.state, Tombstoned)
    assert chapter.record.body == ""
    assert [entry.verb for entry in chapter.decisions] == ["propose", "corroborate", "invalidate", "erase"]
    assert gate.undo(chapter.decisions[-1].id, reason="oops").rule == "undo"


class Joining:
    """A merger that writes one text after the other."""

    def __init__(self, joint: str = "; ", *, ask_again: bool = False) -> None:
        self.joint = joint
        self.ask_again = ask_again
        self.asked: list[Sequence[str]] = []

    def merge(self, texts: Sequence[str]) -> Merged:
        self.asked.append(list(texts))
        return Merged(None if self.ask_again else self.joint.join(texts), "they overlap", self.ask_again)


LONG = "The conformity gate of the onboarding domain wants authoritative citations for each and every claim"
ALIKE = (f"{LONG} of a person", f"{LONG} of a company")


@pytest.fixture
def pair(gate: lamina.AnchoredMemory) -> list[MemoryId]:
    """Two facts that read alike and are not the same."""
    return [fact(gate, text) for text in ALIKE]


Merging = Callable[[Joining], lamina.AnchoredMemory]


@pytest.fixture
def merged_by(gate: lamina.AnchoredMemory) -> Merging:
    """The same memory, with a merger."""
    return lambda merger: lamina.AnchoredMemory(replace(gate._resources, merger=merger), gate.anchor)


def test_facts_that_overlap_become_one(gate: lamina.AnchoredMemory, pair: list[MemoryId], merged_by: Merging) -> None:
    merger = Joining()
    merging = merged_by(merger)
    assert gate.contradictions(), "writing them opened a contradiction"
    assert merging.dream().counts == {Done.MERGED: 1}
    assert merger.asked == [list(ALIKE)]
    (hit,) = gate.recall("what does the conformity gate want?", typologies=[lamina.Typology.SEMANTIC])
    assert hit.record.body == "; ".join(ALIKE)
    for id_ in pair:
        old = gate.history(id_)[0].record.state
        assert isinstance(old, Superseded)
        assert old.by == hit.record.id
    assert len(gate.history(hit.record.id)[0].corroborations) == 4, "who spoke for either speaks for both"
    assert gate.contradictions() == []
    assert merging.dream().changed == 0
    assert len(merger.asked) == 1


def test_what_was_said_against_a_fact_is_not_left_behind(
    gate: lamina.AnchoredMemory, pair: list[MemoryId], merged_by: Merging
) -> None:
    """A lifecycle counts failures in a row: to be written anew is no way to begin again."""
    gate.corroborate(pair[0], lamina.Source(OPERATOR, uuid4()), "failed", "it was not asked for")
    assert merged_by(Joining()).dream().counts == {Done.MERGED: 1}
    (hit,) = gate.recall("what does the conformity gate want?", typologies=[lamina.Typology.SEMANTIC])
    said = [one.notes for one in gate.history(hit.record.id)[0].corroborations if not one.confirms]
    assert said == ["it was not asked for"]


def test_a_merge_that_loses_something_is_not_written(gate: lamina.AnchoredMemory, merged_by: Merging) -> None:
    for country in ("Armenia", "Argentina"):
        fact(gate, f"{LONG} in {country}")

    class Careless(Joining):
        def merge(self, texts: Sequence[str]) -> Merged:
            return Merged(texts[0], "the same")

    assert merged_by(Careless()).dream().changed == 0
    assert len(gate.recall("gate", typologies=[lamina.Typology.SEMANTIC])) == 2
    reasons = [
        entry.outcome.reason for hit in gate.recall("gate") for entry in gate.history(hit.record.id)[0].decisions
    ]
    assert "the merged text has lost 'Argentina'" in reasons


def test_a_merger_that_cannot_be_reached_is_asked_again(
    gate: lamina.AnchoredMemory, pair: list[MemoryId], merged_by: Merging
) -> None:
    silent = Joining(ask_again=True)
    for _ in range(2):
        assert merged_by(silent).dream().changed == 0
    assert silent.asked
    assert merged_by(Joining()).dream().counts == {Done.MERGED: 1}


class Dying(Exception):
    """The process is gone."""


def test_an_interrupted_merge_is_gone_on_with(
    gate: lamina.AnchoredMemory, pair: list[MemoryId], merged_by: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Dying

    merger = Joining()
    with monkeypatch.context() as patch:
        patch.setattr("lamina.application.consolidate._finish", die)
        with pytest.raises(Dying):
            merged_by(merger).dream()
    texts = {hit.record.body for hit in gate.recall("conformity gate", typologies=[lamina.Typology.SEMANTIC])}
    assert texts == {*ALIKE, "; ".join(ALIKE)}, "the successor is there before its sources go"
    assert merged_by(merger).dream().counts == {Done.MERGED: 1}
    assert len(merger.asked) == 1
    assert {hit.record.body for hit in gate.recall("gate", typologies=[lamina.Typology.SEMANTIC])} == {"; ".join(ALIKE)}


def test_a_source_that_changed_meanwhile_is_not_superseded(
    gate: lamina.AnchoredMemory, pair: list[MemoryId], merged_by: Merging
) -> None:
    class Slow(Joining):
        def merge(self, texts: Sequence[str]) -> Merged:
            gate.archive(pair[0], reason="meanwhile").require()
            return super().merge(texts)

    assert merged_by(Slow()).dream().counts[Done.MERGED] == 0
    live = {hit.record.body for hit in gate.recall("conformity gate", typologies=[lamina.Typology.SEMANTIC])}
    assert live == {ALIKE[1]}


def test_a_negative_patience_is_an_error(chat: lamina.Memory) -> None:
    with pytest.raises(lamina.LaminaError, match="abandoned_after"):
        chat.dream(abandoned_after=timedelta(seconds=-1))
