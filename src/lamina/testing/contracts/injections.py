"""What every store of what went into prompts keeps its word on."""

from __future__ import annotations

import pytest

from lamina.domain.errors import ReadOnly
from lamina.domain.ids import SessionId
from lamina.domain.injected import Injected
from lamina.domain.scope import SessionScope
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, START, anchor, record, uuid

SESSION, OTHER = SessionId(uuid("session")), SessionId(uuid("another session"))


class InjectionsContract:
    """What a session was shown comes back, of that session and that anchor only, and stays."""

    def test_what_was_shown_comes_back_oldest_first(self, store: Store) -> None:
        first, second = sorted([record("a").id, record("b").id])
        with store.unit(anchor()) as unit:
            unit.injections.add(SESSION, [second, first, second], START + DAY)
            unit.injections.add(SESSION, [second], START)
            unit.injections.add(OTHER, [first], START)
            unit.injections.add(OTHER, [], START)
        with store.reading(anchor()) as unit:
            assert unit.injections.of(SESSION) == [
                Injected(SESSION, second, START),
                Injected(SESSION, first, START + DAY),
                Injected(SESSION, second, START + DAY),
            ]
            assert unit.injections.of(OTHER) == [Injected(OTHER, first, START)]
            assert unit.injections.of(SessionId(uuid("nowhere"))) == []

    def test_what_is_noted_of_a_time_is_noted_once(self, store: Store) -> None:
        for ids in ([record("a").id], [record("a").id, record("b").id]):
            with store.unit(anchor()) as unit:
                unit.injections.add(SESSION, ids, START)
        with store.reading(anchor()) as unit:
            assert {one.memory_id for one in unit.injections.of(SESSION)} == {record("a").id, record("b").id}
            assert len(unit.injections.of(SESSION)) == 2

    def test_many_go_in_at_once(self, store: Store) -> None:
        ids = [record(str(number)).id for number in range(100)]
        with store.unit(anchor()) as unit:
            unit.injections.add(SESSION, ids, START)
        with store.reading(anchor()) as unit:
            assert [one.memory_id for one in unit.injections.of(SESSION)] == sorted(ids)

    def test_another_anchor_sees_nothing_of_it(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.injections.add(SESSION, [record("a").id], START)
        with store.reading(anchor("other")) as unit:
            assert unit.injections.of(SESSION) == []

    def test_it_holds_no_transient_memory_and_stays_when_that_goes(self, store: Store) -> None:
        seen = record("seen", scope=SessionScope(anchor(), SESSION))
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(seen)])
            unit.injections.add(SESSION, [seen.id], START)
        with store.unit(anchor()) as unit:
            (standing,) = unit.scope_cleanup.contents(SessionScope(anchor(), SESSION))
            assert not standing.pointers
            unit.scope_cleanup.detach([seen.id])
        with store.unit(anchor()) as unit:
            unit.scope_cleanup.remove([seen.id])
        with store.reading(anchor()) as unit:
            assert unit.injections.of(SESSION) == [Injected(SESSION, seen.id, START)]

    def test_a_unit_that_reads_notes_nothing(self, store: Store) -> None:
        with pytest.raises(ReadOnly), store.reading(anchor()) as unit:
            unit.injections.add(SESSION, [record("a").id], START)
