"""What every search for candidates keeps its word on."""

from __future__ import annotations

import pytest

from lamina.domain.errors import WrongModel
from lamina.domain.record import MemoryRecord, Tags
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, entry, record, vector

ALL = Selection()


class CandidatesContract:
    """A search removes rows, finds the nearest of the rest, and never comes back short."""

    def test_the_nearest_come_with_their_cosine(self, store: Store) -> None:
        same, near, far = record("same"), record("near"), record("far")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(same, 1), entry(near, 1, 1), entry(far, 0, 1), Entry(record("no vector"))])
        with store.unit(anchor()) as unit:
            found = unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=2)
            assert found == {same.id: pytest.approx(1.0, abs=1e-6), near.id: pytest.approx(0.5**0.5, abs=1e-6)}
            everything = unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=10)
            assert set(everything) == {same.id, near.id, far.id}

    def test_a_unit_finds_what_it_has_just_written(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1)) == {record("a").id}

    def test_what_was_undone_is_not_found(self, store: Store) -> None:
        with pytest.raises(ZeroDivisionError), store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
            unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1)
            1 / 0  # noqa: B018
        with store.unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1) == {}

    def test_k_live_rows_of_a_small_anchor_beside_a_large_one_give_k(self, store: Store) -> None:
        large, small = anchor("large"), anchor("small")
        with store.unit(large) as unit:
            unit.records.add([entry(record(f"fact {n}", large), 1, n / 1_000) for n in range(1_000)])
        with store.unit(small) as unit:
            unit.records.add([entry(record(f"fact {n}", small), 0, 0, 1, n / 10) for n in range(10)])
            assert len(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=10)) == 10

    def test_only_live_memory_unless_asked(self, store: Store) -> None:
        live, gone = record("live"), record("gone")
        held = record("held", state=Candidate(START, "wait", "Corroborated"))
        archived = archive(gone, START, "stale")
        assert isinstance(archived, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.add([entry(live, 0, 1), entry(gone, 1), entry(held, 1)])
            unit.records.change(archived)
        with store.unit(anchor()) as unit:
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9)) == {live.id}
            retired = Selection(include_retired=True)
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, retired, limit=9)) == {live.id, gone.id}

    def test_a_selection_is_kept_to(self, store: Store) -> None:
        early = record("early", validity=Validity(START - DAY), tags=Tags({"k": "v"}))
        late = record("late", validity=Validity(START + DAY), tags=Tags({"k": "v"}))
        preference = record("preference", typology=Typology.PROCEDURAL, tags=Tags({"k": "v"}))
        everything = [early, late, preference]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1) for one in everything])
        selections = [
            ALL,
            Selection(since=START),
            Selection(until=START),
            Selection(since=START - DAY, until=START + DAY),
            Selection(typologies=frozenset({Typology.PROCEDURAL})),
            Selection(tiers=frozenset({Tier.SESSION})),
        ]
        with store.unit(anchor()) as unit:
            for selection in selections:
                expected = {one.id for one in everything if selection.takes(one)}
                assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, selection, limit=9)) == expected
                assert set(unit.candidates.tagged({"k": "v"}, selection, limit=9)) == expected

    def test_another_anchors_vectors_are_never_compared(self, store: Store) -> None:
        with store.unit(anchor("other")) as unit:
            unit.records.add([entry(record("a", anchor("other")), 1)])
        with store.unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9) == {}
            assert unit.candidates.tagged({"k": "v"}, ALL, limit=9) == {}

    def test_a_vector_of_another_model_is_refused(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            with pytest.raises(WrongModel, match="another"):
                unit.candidates.nearest(vector(1), "another", ALL, limit=1)
            with pytest.raises(WrongModel, match="8 numbers"):
                unit.candidates.nearest(vector(1) * 2, EMBEDDING.model, ALL, limit=1)

    def test_tags_score_by_the_share_that_agrees(self, store: Store) -> None:
        both, one, none = (
            record("both", tags=Tags({"family": "thresholds", "speaker": "Ann", "x": "y"})),
            record("one", tags=Tags({"family": "thresholds", "speaker": "Bob"})),
            record("none", tags=Tags({"family": "citations"})),
        )
        other = record("other", tags=Tags({"speaker": "Ann"}))
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(both), Entry(one), Entry(none), Entry(other)])
        with store.unit(anchor()) as unit:
            wanted = {"family": "thresholds", "speaker": "Ann"}
            assert unit.candidates.tagged(wanted, ALL, limit=9) == {both.id: 1.0, one.id: 0.5, other.id: 0.5}
            assert unit.candidates.tagged(wanted, ALL, limit=1) == {both.id: 1.0}
            assert unit.candidates.tagged({}, ALL, limit=9) == {}
