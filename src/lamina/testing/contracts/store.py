"""What every store keeps its word on: transactions, and the wall between anchors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from lamina.domain.errors import DuplicateId, ReadOnly, StoreClosed, StoreError
from lamina.ports.store import Store
from lamina.testing.samples import SPEC, anchor, entry, record


class Interruption(Exception):
    """Something that goes wrong inside a unit of work."""


class StoreContract:
    """Transactions are whole, and an anchor sees nothing of another."""

    def test_what_is_written_is_there_afterwards(self, store: Store) -> None:
        fact = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(fact, 1)])
            assert unit.records.get([fact.id]), "a unit reads what it wrote"
        with store.unit(anchor()) as unit:
            assert set(unit.records.get([fact.id])) == {fact.id}

    def test_an_error_undoes_everything(self, store: Store) -> None:
        first, second = record("a"), record("b")
        with pytest.raises(Interruption), store.unit(anchor()) as unit:
            unit.records.add([entry(first, 1)])
            unit.records.add([entry(second, 1)])
            raise Interruption
        with store.unit(anchor()) as unit:
            assert unit.records.get([first.id, second.id]) == {}

    def test_a_unit_that_hid_its_error_is_not_taken_for_done(self, store: Store) -> None:
        fact = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(fact, 1)])
        with suppress(StoreError), store.unit(anchor()) as unit:
            unit.records.add([entry(record("b"), 1)])
            with suppress(DuplicateId):
                unit.records.add([entry(fact, 1)])
            unit.decisions.add([])
        with store.unit(anchor()) as unit:
            there = set(unit.records.get([fact.id, record("b").id]))
        assert there == {fact.id}, "half of a unit was written"

    def test_one_anchor_sees_nothing_of_another(self, store: Store) -> None:
        mine, theirs = anchor("acme"), anchor("acmes")
        fact = record("a", mine)
        with store.unit(mine) as unit:
            unit.records.add([entry(fact, 1)])
        with store.unit(theirs) as unit:
            assert unit.records.get([fact.id]) == {}
            assert unit.decisions.about(fact.id) == []
            assert unit.corroborations.of(fact.id) == []

    def test_two_anchors_may_use_one_id(self, store: Store) -> None:
        for whose in (anchor("acme"), anchor("other")):
            with store.unit(whose) as unit:
                unit.records.add([entry(record("a", whose), 1)])
        for whose in (anchor("acme"), anchor("other")):
            with store.unit(whose) as unit:
                (found,) = unit.records.get([record("a").id]).values()
                assert found.scope.anchor == whose

    def test_a_unit_that_reads_does_not_write(self, store: Store) -> None:
        fact = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(fact, 1)])
        with store.reading(anchor()) as unit:
            assert set(unit.records.get([fact.id])) == {fact.id}
        with pytest.raises(ReadOnly, match="unit"), store.reading(anchor()) as unit:
            unit.records.add([entry(record("b"), 1)])
        with store.reading(anchor()) as unit:
            assert unit.records.get([record("b").id]) == {}

    def test_the_anchors_that_have_memory_can_be_listed(self, store: Store) -> None:
        there = [anchor("acme", "kyc"), anchor("acme", "aml"), anchor("acme", "数据"), anchor("other", "kyc")]
        for whose in there:
            with store.unit(whose) as unit:
                unit.records.add([entry(record("a", whose), 1), entry(record("b", whose), 1)])
        with pytest.raises(Interruption), store.unit(anchor("acme", "undone")) as unit:
            unit.records.add([entry(record("a", anchor("acme", "undone")), 1)])
            raise Interruption
        across = SPEC.persistent_anchor.pattern
        assert store.anchors(across({"org_id": "acme"})) == sorted(there[:3], key=lambda one: one.parts)
        assert store.anchors(across({"org_id": "acme", "domain_id": "kyc"})) == [there[0]]
        assert store.anchors(across({"org_id": "nobody"})) == []

    def test_maintenance_ends_when_nothing_is_fresh(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(name), 1) for name in ("a", "b", "c")])
        rounds = 0
        while store.maintain(2):
            rounds += 1
            assert rounds < 9
        assert store.maintain(2) == 0

    def test_many_threads_write_at_once_and_nothing_is_lost_or_crosses(self, store: Store) -> None:
        anchors = [anchor("acme", f"domain {number}") for number in range(4)]

        def write(number: int) -> None:
            whose = anchors[number % 4]
            with store.unit(whose) as unit:
                unit.records.add([entry(record(f"fact {number}", whose), 1, number)])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, range(40)))
        ids = [record(f"fact {number}").id for number in range(40)]
        for index, whose in enumerate(anchors):
            with store.unit(whose) as unit:
                assert set(unit.records.get(ids)) == {ids[number] for number in range(40) if number % 4 == index}

    def test_a_closed_store_says_so(self, store: Store) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosed, match=r"^store is closed; open it again$"), store.unit(anchor()) as unit:
            unit.records.get([record("a").id])
