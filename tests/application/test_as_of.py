"""Two axes of time, on each back end: the answers of as_of are those of a replay of the log."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from dependency_injector import providers
from tests.application.conftest import EMBEDDER, Clock, Urls

import lamina
from lamina.composition.container import Container
from lamina.domain.as_of import AsOf
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId

GATE = "the gate"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ann(urls: Urls, clock: Clock) -> lamina.AnchoredMemory:
    container = Container(url=urls(lamina.ASSISTANT_AGENT), spec=lamina.ASSISTANT_AGENT)
    container.embedder.override(providers.Object(EMBEDDER))
    container.clock.override(providers.Object(clock))
    return container.memory().at(user_id="ann")


def wants(value: str) -> lamina.Claim:
    return lamina.Claim("gate", "wants", value)


def bodies(memory: lamina.AnchoredMemory | lamina.AsOfMemory) -> set[str]:
    return {hit.record.body for hit in memory.recall(GATE, 50)}


def test_what_was_so_then_and_what_we_knew_then(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    january = clock.time
    ann.prefer("the gate wants citations", claim=wants("citations"))
    clock.turn(days=30)
    february = clock.time
    ann.prefer("the gate wants signatures", claim=wants("signatures"))
    clock.turn(days=30)
    assert bodies(ann) == {"the gate wants signatures"}
    assert bodies(ann.as_of(valid_at=january)) == {"the gate wants citations"}
    assert bodies(ann.as_of(known_at=january)) == {"the gate wants citations"}
    assert bodies(ann.as_of(valid_at=february)) == {"the gate wants signatures"}
    assert bodies(ann.as_of(valid_at=clock.time, known_at=january)) == {"the gate wants citations"}


def test_a_fact_that_is_recorded_late_was_so_all_along(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    january = clock.time
    clock.turn(days=30)
    ann.prefer("the gate opens at nine", at=january)
    assert bodies(ann.as_of(valid_at=january)) == {"the gate opens at nine"}
    clock.turn(days=1)
    assert bodies(ann.as_of(valid_at=january, known_at=january)) == set()


def test_a_time_that_is_not_said_again_stays(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    january = clock.time
    ann.prefer("the gate wants citations", claim=wants("citations"))
    clock.turn(days=30)
    ann.prefer("the gate wants signatures", claim=wants("signatures"))
    clock.turn(days=30)
    now, once = clock.time, ann.as_of(known_at=clock.time)
    assert bodies(once.as_of(valid_at=january)) == bodies(ann.as_of(january, now)) == {"the gate wants citations"}
    assert bodies(ann.as_of(january).as_of(known_at=now)) == {"the gate wants citations"}
    assert once.as_of(valid_at=january).then == AsOf(january, now)


def test_what_was_exempted_then_was_so(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    id_ = ann.prefer("the gate is green").id
    clock.turn(days=90)
    ann.exempt(id_, reason="it is the law").require()
    exempted, (before,) = clock.time, ann.recall(GATE)
    clock.turn(days=1)
    ann.archive(id_, reason="stale").require()
    (then,) = ann.as_of(known_at=exempted).recall(GATE)
    assert (then.record.state, then.decay, then.explain()) == (before.record.state, before.decay, before.explain())


def test_what_was_archived_and_brought_back(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    """The columns have forgotten the archiving; the log has not."""
    id_ = ann.prefer("the gate is green").id
    clock.turn(days=1)
    ann.archive(id_, reason="stale")
    archived = clock.time
    clock.turn(days=1)
    (chapter,) = ann.history(id_)
    ann.undo(chapter.decisions[-1].id, reason="it was right")
    clock.turn(days=1)
    assert bodies(ann) == {"the gate is green"}
    assert bodies(ann.as_of(known_at=archived)) == set()
    assert bodies(ann.as_of(known_at=clock.time)) == {"the gate is green"}


def test_as_many_stood_then_as_stood_then(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    """What was brought back since does not take the place of what stood then, however well it answers."""
    for text, count in (("tea recipe", 12), ("the gate", 50)):
        for number in range(count):
            ann.prefer(f"{text} number {number}")
        clock.turn(days=1)
    gates = [hit.record.id for hit in ann.recall(GATE, 50)]
    for id_ in gates:
        ann.archive(id_, reason="stale")
    archived = clock.time
    assert len(ann.recall(GATE, 10)) == 10
    clock.turn(days=1)
    for id_ in gates:
        ann.undo(ann.history(id_)[0].decisions[-1].id, reason="it was right")
    clock.turn(days=1)
    for limit in (1, 10, 12, 40):
        found = ann.as_of(known_at=archived).recall(GATE, limit)
        assert len(found) == min(limit, 12)
        assert all("tea" in hit.record.body for hit in found)


def test_a_hit_is_told_as_it_was_known(ann: lamina.AnchoredMemory, clock: Clock) -> None:
    """Neither who confirmed it later, nor what was decided about it since."""
    january = clock.time
    id_ = ann.prefer("the gate is green").id
    for _ in range(3):
        clock.turn(days=10)
        ann.corroborate(id_, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())).require()
    (before,) = ann.as_of(known_at=january + timedelta(days=20)).recall(GATE)
    clock.turn(days=10)
    ann.invalidate(id_, reason="it was painted").require()
    painted = clock.time
    clock.turn(days=10)
    (then,) = ann.as_of(known_at=january + timedelta(days=20)).recall(GATE)
    assert (then.confirmations, then.confirmed_at) == (2, january + timedelta(days=20))
    assert then.record.live
    assert then.validity.invalid_at is None
    assert (then.score, then.decay, then.explain()) == (before.score, before.decay, before.explain())
    (since,) = ann.as_of(valid_at=january, known_at=painted).recall(GATE)
    assert since.confirmations == 3
    assert not since.record.live
    assert since.validity.invalid_at == painted


@pytest.mark.parametrize("seed", range(4))
def test_any_history_is_what_its_log_says(ann: lamina.AnchoredMemory, clock: Clock, seed: int) -> None:
    chance = random.Random(seed)
    written: list[MemoryId] = []
    moments: list[datetime] = []
    told = []
    for step in range(14):
        moments.append(clock.time)
        told.append(_told(ann))
        clock.turn(days=1)
        _act(ann, chance, written, step)
    clock.turn(days=1)
    log = {id_: list(_decisions(ann, id_)) for id_ in written}
    for known_at, then in zip(moments, told, strict=True):
        expected = {id_ for id_ in written if _live(id_, log[id_], known_at)}
        found = _told(ann.as_of(valid_at=known_at, known_at=known_at))
        assert found.keys() == expected, f"as of {known_at}"
        assert found == then, f"as of {known_at}"


def _told(memory: lamina.AnchoredMemory | lamina.AsOfMemory) -> dict[MemoryId, tuple[object, float, int]]:
    return {hit.record.id: (hit.record.state, hit.decay, hit.confirmations) for hit in memory.recall(GATE, 50)}


def _act(ann: lamina.AnchoredMemory, chance: random.Random, written: list[MemoryId], step: int) -> None:
    act = chance.choice(["prefer", "prefer", "claim", "claim", "archive", "invalidate", "exempt", "undo", "supersede"])
    if act == "prefer" or not written:
        written.append(ann.prefer(f"the gate has colour number {step} today").id)
    elif act == "claim":
        outcome = ann.prefer(f"the gate wants {step}", claim=wants(str(step)))
        written.append(outcome.id)
    elif act == "undo":
        decisions = list(_decisions(ann, chance.choice(written)))
        ann.undo(decisions[-1].id, reason="on second thought")
    elif act == "supersede":
        one, other = chance.choice(written), chance.choice(written)
        ann.supersede(one, by=other)
    else:
        getattr(ann, act)(chance.choice(written), reason="so")


def _decisions(ann: lamina.AnchoredMemory, id_: MemoryId) -> list[DecisionEntry]:
    first = ann.history(id_)[0]
    return list(first.decisions)


def _live(id_: MemoryId, log: list[DecisionEntry], known_at: datetime) -> bool:
    """A replay in other words than the domain's: each decision as a step of one record's life."""
    lives = [False]
    for before, entry in pairwise([None, *log]):
        if entry is None or entry.at > known_at or entry.outcome.decision in {"NOOP", "REFUSED"}:
            continue
        if entry.verb == "undo":
            effective = [one for one in log if one.at < entry.at and one.outcome.decision not in {"NOOP", "REFUSED"}]
            undone = effective[-1]
            lives.append(not (undone.verb == "prefer" and undone.outcome.ids[0] == id_))
        elif entry.verb == "prefer":
            lives.append(entry.outcome.ids[0] == id_)
        else:
            lives.append(entry.verb == "exempt")
        assert before is None or before.at <= entry.at
    return lives[-1]
