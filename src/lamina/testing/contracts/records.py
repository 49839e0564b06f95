"""What every store of records keeps its word on."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings

from lamina.domain.claim import Claim
from lamina.domain.errors import (
    DuplicateId,
    OverlappingClaims,
    StaleRecord,
    TextTooLong,
    UnknownRecord,
    WrongAnchor,
    WrongModel,
)
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.record import MemoryRecord, Origin
from lamina.domain.scope import SessionScope
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate
from lamina.domain.transitions import archive, invalidate, supersede, tombstone
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, entry, record, uuid, vector
from lamina.testing.strategies import any_record_state

CITATIONS = Claim("gate", "requires", "citations")
# One test, run by each store's class on a store that lives as long as the test.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
SIGNATURES = Claim("Gate ", "REQUIRES", "signatures")


class RecordsContract:
    """Records come back as they went in, and only as a transition changed them."""

    @settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
    @given(any_record_state())
    def test_a_record_comes_back_as_it_went_in(self, store: Store, one: MemoryRecord) -> None:
        # The claim is left out: two live ones of one matter are refused, which has a test of its own. The id is a new
        # one in each run, as the store outlives it.
        one = replace(one, id=MemoryId(uuid4()), embedding_id=None, claim=None)
        with store.unit(one.scope.anchor) as unit:
            unit.records.add([Entry(one)])
        with store.unit(one.scope.anchor) as unit:
            assert unit.records.get([one.id]) == {one.id: one}

    def test_a_claim_comes_back_as_it_went_in(self, store: Store) -> None:
        one = record("a", claim=SIGNATURES)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one)])
            assert unit.records.get([one.id])[one.id].claim == SIGNATURES

    def test_many_at_once_are_all_there(self, store: Store) -> None:
        facts = [record(f"fact {number}") for number in range(500)]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(fact, 1, number) for number, fact in enumerate(facts)])
        with store.unit(anchor()) as unit:
            found = unit.records.get([fact.id for fact in facts])
        assert {id_: one.body for id_, one in found.items()} == {fact.id: fact.body for fact in facts}

    def test_records_come_in_the_order_they_were_asked_for(self, store: Store) -> None:
        facts = [record(f"fact {number}") for number in range(20)]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact) for fact in facts])
        archived = archive(facts[3], START + DAY, "stale")
        assert isinstance(archived, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.change(archived)
        wanted = [fact.id for fact in (*facts[10:], *facts[:10])]
        with store.unit(anchor()) as unit:
            assert list(unit.records.get([MemoryId(UUID(int=0)), *wanted])) == wanted

    def test_asking_for_nothing_gives_nothing(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([])
            assert unit.records.get([]) == {}
            assert unit.records.get([MemoryId(UUID(int=0))]) == {}

    def test_an_id_is_taken_once(self, store: Store) -> None:
        one = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one)])
        with pytest.raises(DuplicateId, match=str(one.id)), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("b")), Entry(replace(one, body="another"))])
        with store.unit(anchor()) as unit:
            assert unit.records.get([one.id])[one.id].body == one.body
            assert unit.records.get([record("b").id]) == {}

    def test_a_record_of_another_anchor_is_refused(self, store: Store) -> None:
        theirs = record("a", anchor("other"))
        with pytest.raises(WrongAnchor, match="org_id=other"), store.unit(anchor()) as unit:
            unit.records.add([Entry(theirs)])

    def test_a_body_over_the_specs_bound_is_refused(self, store: Store) -> None:
        with pytest.raises(TextTooLong, match="2,001 characters"), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("a", body="x" * 2_001))])

    def test_a_vector_of_another_model_or_dimension_is_refused(self, store: Store) -> None:
        good = entry(record("a"), 1)
        assert good.embedding is not None
        other_model = replace(good.embedding, model="another")
        longer = replace(good.embedding, vector=good.embedding.vector * 2)
        for embedding in (other_model, longer):
            with pytest.raises(WrongModel, match="sample"), store.unit(anchor()) as unit:
                unit.records.add([Entry(good.record, embedding)])

    def test_a_transition_is_written_once(self, store: Store) -> None:
        one = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one)])
        archived = archive(one, START + DAY, "stale")
        assert isinstance(archived, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.change(archived)
        with store.unit(anchor()) as unit:
            assert unit.records.get([one.id]) == {one.id: archived}
        with pytest.raises(StaleRecord, match=str(one.id)), store.unit(anchor()) as unit:
            unit.records.change(archived)

    def test_a_record_that_is_not_there_cannot_change(self, store: Store) -> None:
        with pytest.raises(UnknownRecord, match=str(record("a").id)), store.unit(anchor()) as unit:
            unit.records.change(replace(record("a"), version=2))

    def test_two_live_claims_of_one_matter_cannot_overlap(self, store: Store) -> None:
        old = record("old", claim=CITATIONS)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(old)])
        new = record("new", claim=SIGNATURES, validity=Validity(START + DAY))
        with pytest.raises(OverlappingClaims, match=r"(?i)gate"), store.unit(anchor()) as unit:
            unit.records.add([Entry(new)])
        with pytest.raises(OverlappingClaims), store.unit(anchor()) as unit:
            unit.records.add(
                [Entry(record("x", claim=Claim("b", "is", "1"))), Entry(record("y", claim=Claim("b", "is", "2")))]
            )

    def test_a_claim_may_follow_the_one_it_ends(self, store: Store) -> None:
        old, new = record("old", claim=CITATIONS), record("new", claim=SIGNATURES, validity=Validity(START + DAY))
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(old)])
        ended = invalidate(old, START + DAY, START + DAY, "reversed", by=new)
        assert isinstance(ended, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.change(ended)
            unit.records.add([Entry(new)])
        with store.unit(anchor()) as unit:
            assert unit.records.with_claim(Typology.SEMANTIC, CITATIONS.key) == [new]

    def test_live_claims_of_one_matter_stand_in_the_order_of_time(self, store: Store) -> None:
        later = record("later", claim=CITATIONS, validity=Validity(START))
        backdated = record("backdated", claim=SIGNATURES, validity=Validity(START - DAY, START))
        elsewhere = record("elsewhere", claim=Claim("gate", "colour", "red"))
        preference = record("preference", claim=CITATIONS, typology=Typology.PROCEDURAL)
        held = record("held", claim=SIGNATURES, state=Candidate(START, "wait", "Corroborated"))
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in (later, backdated, elsewhere, preference, held)])
        with store.unit(anchor()) as unit:
            assert unit.records.with_claim(Typology.SEMANTIC, CITATIONS.key) == [backdated, later]

    def test_candidates_of_one_matter_come_oldest_first(self, store: Store) -> None:
        state = Candidate(START, "wait", "corroborated")
        late = record("late", claim=CITATIONS, state=state, recorded_at=START + DAY)
        early = record("early", claim=SIGNATURES, state=state)
        others = [
            record("live", claim=CITATIONS),
            record("elsewhere", claim=Claim("gate", "colour", "red"), state=state),
            record("preference", claim=CITATIONS, state=state, typology=Typology.PROCEDURAL),
        ]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in (late, early, *others)])
        with store.unit(anchor()) as unit:
            assert unit.records.candidates_with_claim(Typology.SEMANTIC, CITATIONS.key) == [early, late]

    def test_positions_go_on_where_a_session_was_left(self, store: Store) -> None:
        session = SessionId(uuid("session"))
        there = [record(f"turn {place}", origin=Origin(session, None, place)) for place in (0, 4)]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in there])
        with store.unit(anchor()) as unit:
            assert unit.records.next_position(session) == 5
            assert unit.records.next_position(SessionId(uuid("other session"))) == 0
        with store.unit(anchor("other")) as unit:
            assert unit.records.next_position(session) == 0

    def test_claims_of_a_session_do_not_stand_in_the_way(self, store: Store) -> None:
        scope = SessionScope(anchor(), SessionId(uuid("session")))
        with store.unit(anchor()) as unit:
            unit.records.add(
                [Entry(record("seen", claim=CITATIONS, scope=scope)), Entry(record("kept", claim=SIGNATURES))]
            )
            assert [one.body for one in unit.records.with_claim(Typology.SEMANTIC, CITATIONS.key)] == [
                record("kept").body
            ]

    def test_an_erasure_leaves_the_row_and_nothing_to_find(self, store: Store) -> None:
        given = entry(record("a"), 1)
        retired = archive(given.record, START, "asked to")
        assert isinstance(retired, MemoryRecord)
        erased = tombstone(retired, pointers=0, at=START + DAY, reason="asked to")
        assert isinstance(erased, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.add([given])
            unit.records.change(retired)
        with store.unit(anchor()) as unit:
            unit.records.change(erased)
        with store.unit(anchor()) as unit:
            assert unit.records.get([erased.id]) == {erased.id: erased}
            everything = Selection(include_retired=True)
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, everything, limit=9) == {}

    def test_a_successor_is_remembered(self, store: Store) -> None:
        old, new = record("old"), record("new")
        replaced = supersede(old, new, START)
        assert isinstance(replaced, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(old), Entry(new)])
            unit.records.change(replaced)
        with store.unit(anchor()) as unit:
            assert unit.records.get([old.id])[old.id].state == replaced.state
