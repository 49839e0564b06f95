"""Whatever happens to records, chains of successors are acyclic and end in one live record."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lamina.domain.anchor import Anchor
from lamina.domain.errors import BlankText, CyclicSupersession, NaiveTime
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.lineage import lineage
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.retention import MOVES, RetentionState, retention_state
from lamina.domain.scope import PersistentScope
from lamina.domain.state import (
    Archived,
    Candidate,
    Exempted,
    Invalidated,
    Promoted,
    Superseded,
    Tombstoned,
    is_disposed,
    successor,
)
from lamina.domain.transitions import archive, exempt, grant, invalidate, promote, restore, supersede, tombstone
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
ANCHOR = Anchor((("user_id", "u"),))


def record(number: int, anchor: Anchor = ANCHOR) -> MemoryRecord:
    return MemoryRecord(
        id=MemoryId(UUID(int=number)),
        scope=PersistentScope(anchor),
        typology=Typology.SEMANTIC,
        body=f"fact {number}",
        recorded_at=NOW,
        validity=Validity(NOW),
    )


ONE, TWO = record(1), record(2)


def done(transition: MemoryRecord | Refusal) -> MemoryRecord:
    assert isinstance(transition, MemoryRecord), transition
    return transition


def test_each_transition_gives_another_record() -> None:
    assert done(promote(ONE, TWO.id, LATER)).state == Promoted(LATER, TWO.id)
    assert done(exempt(ONE, LATER, "a landmark")).state == Exempted(LATER, "a landmark")
    assert done(archive(ONE, LATER, "stale")).state == Archived(LATER, "stale")
    assert done(supersede(ONE, TWO, LATER)).state == Superseded(LATER, TWO.id)
    ended = done(invalidate(ONE, LATER, LATER, "reversed", by=TWO))
    assert ended.state == Invalidated(LATER, "reversed", TWO.id)
    assert ended.validity == Validity(NOW, LATER)
    assert ended.version == 2
    assert ONE.version == 1
    assert ONE.live


def test_what_is_promoted_or_exempted_stays_live() -> None:
    assert done(promote(ONE, TWO.id, LATER)).live
    assert done(exempt(ONE, LATER, "a landmark")).live


def test_an_invalidation_keeps_both_times() -> None:
    learned = LATER + timedelta(days=5)
    ended = done(invalidate(ONE, LATER, learned, "reversed"))
    assert (ended.validity.invalid_at, ended.state) == (LATER, Invalidated(learned, "reversed"))


def test_the_moves_of_retention() -> None:
    active, referenced, orphaned, tombstoned = RetentionState
    assert {
        active: {referenced, orphaned},
        referenced: {orphaned, active},
        orphaned: {referenced, active, tombstoned},
        tombstoned: set(),
    } == MOVES


def test_an_erasure_blanks_the_body_and_keeps_the_trail() -> None:
    retired = done(supersede(replace(ONE, embedding_id=EmbeddingId(UUID(int=3))), TWO, LATER))
    erased = done(tombstone(retired, pointers=0, at=LATER, reason="asked to"))
    assert (erased.body, erased.embedding_id) == ("", None)
    assert isinstance(erased.state, Tombstoned)
    assert successor(erased.state) == TWO.id


@pytest.mark.parametrize(
    ("refused", "says"),
    [
        (supersede(ONE, ONE, LATER), "cannot take its own place"),
        (supersede(done(archive(ONE, NOW, "x")), TWO, LATER), "is archived"),
        (supersede(ONE, done(archive(TWO, NOW, "x")), LATER), "only a live record takes another's place"),
        (supersede(ONE, record(3, Anchor((("user_id", "v"),))), LATER), "is of another anchor"),
        (invalidate(done(supersede(ONE, TWO, LATER)), NOW, NOW, "x"), "is superseded"),
        (archive(done(archive(ONE, NOW, "x")), NOW, "y"), "is archived"),
        (exempt(done(promote(ONE, TWO.id, NOW)), NOW, "y"), "is promoted"),
        (promote(done(exempt(ONE, NOW, "y")), TWO.id, NOW), "is exempted"),
        (restore(ONE), "is active"),
        (tombstone(ONE, 0, NOW, "x"), "is ACTIVE; only an orphaned record"),
        (tombstone(done(archive(ONE, NOW, "x")), 1, NOW, "x"), "is REFERENCED; only an orphaned record"),
    ],
)
def test_refusals_say_why(refused: MemoryRecord | Refusal, says: str) -> None:
    assert isinstance(refused, Refusal)
    assert says in refused.reason


def test_a_candidate_is_not_live_until_it_is_granted() -> None:
    held = replace(ONE, state=Candidate(NOW, "1 of 2 independent corroborations", "Corroborated"))
    assert not held.live
    assert retention_state(held.state, 0) is RetentionState.ACTIVE
    granted = done(grant(held, LATER))
    assert granted.live
    assert (granted.recorded_at, granted.granted_at) == (NOW, LATER)
    assert done(archive(held, LATER, "dismissed")).state == Archived(LATER, "dismissed")
    for refused in (grant(ONE, LATER), restore(held), supersede(held, TWO, NOW), promote(held, TWO.id, NOW)):
        assert isinstance(refused, Refusal)


def test_a_state_needs_its_time_and_reason() -> None:
    with pytest.raises(NaiveTime, match="archived at"):
        archive(ONE, datetime(2026, 1, 1), "x")
    with pytest.raises(BlankText, match="exempted reason"):
        exempt(ONE, NOW, " ")


def test_restoring_brings_back_what_we_believed() -> None:
    bounded = replace(ONE, validity=Validity(NOW, LATER))
    ended = done(invalidate(bounded, NOW, LATER, "a mistake"))
    assert ended.validity == Validity(NOW, NOW)
    assert done(restore(ended)).validity == bounded.validity


def test_a_cycle_in_a_store_is_a_named_error() -> None:
    chain = {ONE.id: done(supersede(ONE, TWO, NOW)), TWO.id: done(supersede(TWO, ONE, NOW))}
    with pytest.raises(CyclicSupersession, match="comes after itself"):
        list(lineage(chain[ONE.id], chain.__getitem__))


class Histories(RuleBasedStateMachine):
    """Any verbs, in any order, on a few records."""

    @initialize()
    def begin(self) -> None:
        self.records = {one.id: one for one in map(record, range(6))}
        self.retention = dict.fromkeys(self.records, RetentionState.ACTIVE)

    def _apply(self, changed: MemoryRecord | Refusal) -> None:
        if isinstance(changed, Refusal):
            assert changed.reason
            return
        before = self.records[changed.id]
        assert changed.version == before.version + 1
        self.records[changed.id] = changed

    numbers = st.integers(0, 5).map(lambda number: MemoryId(UUID(int=number)))

    @rule(one=numbers, other=numbers)
    def supersede(self, one: MemoryId, other: MemoryId) -> None:
        self._apply(supersede(self.records[one], self.records[other], NOW))

    @rule(one=numbers, other=numbers | st.none(), days=st.integers(-5, 5))
    def invalidate(self, one: MemoryId, other: MemoryId | None, days: int) -> None:
        by = self.records[other] if other else None
        self._apply(invalidate(self.records[one], NOW + timedelta(days=days), NOW, "reversed", by))

    @rule(one=numbers)
    def archive(self, one: MemoryId) -> None:
        self._apply(archive(self.records[one], NOW, "stale"))

    @rule(one=numbers, other=numbers)
    def promote(self, one: MemoryId, other: MemoryId) -> None:
        self._apply(promote(self.records[one], other, NOW))

    @rule(one=numbers)
    def exempt(self, one: MemoryId) -> None:
        self._apply(exempt(self.records[one], NOW, "a landmark"))

    @rule(one=numbers, pointers=st.integers(0, 1))
    def tombstone(self, one: MemoryId, pointers: int) -> None:
        self._apply(tombstone(self.records[one], pointers, NOW, "asked to"))

    @rule(one=numbers)
    @precondition(lambda self: any(not one.live for one in self.records.values()))
    def restore(self, one: MemoryId) -> None:
        self._apply(restore(self.records[one]))

    @invariant()
    def chains_end(self) -> None:
        for one in self.records.values():
            last = list(lineage(one, self.records.__getitem__))[-1]
            assert successor(last.state) is None

    @invariant()
    def a_live_record_has_no_successor(self) -> None:
        for one in self.records.values():
            assert not (one.live and successor(one.state))
            assert is_disposed(one.state) or one.live

    @invariant()
    def retention_moves_as_declared(self) -> None:
        for id_, one in self.records.items():
            now = retention_state(one.state, 0)
            assert now == self.retention[id_] or now in MOVES[self.retention[id_]]
            self.retention[id_] = now


Histories.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestHistories = Histories.TestCase


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True))
def test_a_chain_of_supersessions_ends_in_one_live_record(order: list[int]) -> None:
    records = {number: record(number) for number in order}
    for old, new in pairwise(order):
        records[old] = done(supersede(records[old], records[new], NOW))
    by_id = {one.id: one for one in records.values()}
    ends = {list(lineage(one, by_id.__getitem__))[-1].id for one in records.values()}
    assert ends == {records[order[-1]].id}
    assert [one.live for one in records.values()].count(True) == 1


@pytest.mark.parametrize("pointers", [0, 3])
def test_the_four_states(pointers: int) -> None:
    retired = done(archive(ONE, NOW, "x"))
    assert retention_state(ONE.state, pointers) is RetentionState.ACTIVE
    assert retention_state(retired.state, pointers) is (
        RetentionState.REFERENCED if pointers else RetentionState.ORPHANED
    )
    erased = done(tombstone(retired, 0, NOW, "x"))
    assert retention_state(erased.state, pointers) is RetentionState.TOMBSTONED
    assert MOVES[RetentionState.TOMBSTONED] == set()
    assert [state for state, after in MOVES.items() if RetentionState.TOMBSTONED in after] == [RetentionState.ORPHANED]
