"""What every store keeps its word on: transactions, and the wall between anchors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from lamina.domain.errors import DuplicateId, StoreClosed, StoreError
from lamina.ports.store import Store
from lamina.testing.samples import anchor, entry, record


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
        with pytest.raises(StoreClosed, match="open"), store.unit(anchor()) as unit:
            unit.records.get([record("a").id])
