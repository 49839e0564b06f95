"""DuckDB has no triggers: whoever changes the file's events is found by their chain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb.store import open_store
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.errors import DuplicateId, SchemaMismatch
from lamina.domain.event_chain import Link
from lamina.domain.event_faults import FaultKind, faults
from lamina.testing.contracts.event_log import append, whole
from lamina.testing.event_strategies import event
from lamina.testing.samples import EMBEDDING

SOME = [event(f"e {number}", number) for number in range(6)]
Tamper = Callable[[str], list[tuple[FaultKind, int]]]


@pytest.fixture
def tampered(tmp_path: Path) -> Tamper:
    """What is found in a chain of six after a statement by hand."""
    path = str(tmp_path / "events.duckdb")

    def after(statement: str) -> list[tuple[FaultKind, int]]:
        store = open_store(path, CHAOS_AGENT, EMBEDDING)
        noted: Link = append(store, *SOME)[-1].link
        store.close()
        with duckdb.connect(path) as connection:
            connection.execute(statement.replace("EVENTS", "chaos.chaos_agent_actor_events"))
        again = open_store(path, CHAOS_AGENT, EMBEDDING)
        found = faults(whole(again), until=noted)
        again.close()
        return [(fault.kind, fault.position) for fault in found]

    return after


@pytest.mark.parametrize(
    "change",
    [
        f"id = '{event('other').id}'",
        "ts = ts + INTERVAL 1 MICROSECOND",
        f"loop_id = '{event('other').id}'",
        "kind = 'error'",
        "visibility = 'private'",
        "content = content || ' '",
        'metadata = \'{"name": "e 3"}\'',
        "metadata = 'broken'",
        "previous = hash",
        "hash = previous",
    ],
)
def test_a_change_is_found(tampered: Tamper, change: str) -> None:
    assert ("changed", 3) in tampered(f"UPDATE EVENTS SET {change} WHERE position = 3")


def test_nothing_is_found_where_nothing_was_done(tampered: Tamper) -> None:
    assert tampered("SELECT * FROM EVENTS") == []


def test_a_removal_is_found(tampered: Tamper) -> None:
    assert tampered("DELETE FROM EVENTS WHERE position IN (0, 2, 3, 5)") == [
        ("missing", 0),
        ("missing", 2),
        ("missing", 5),
    ]


def test_a_swap_is_found(tampered: Tamper) -> None:
    swap = "UPDATE EVENTS SET position = {} WHERE position = {};"
    found = tampered(swap.format(99, 2) + swap.format(2, 3) + swap.format(3, 99))
    assert found == [("reordered", 2), ("reordered", 3)]


def test_the_table_itself_takes_no_id_or_position_twice(tmp_path: Path) -> None:
    path = str(tmp_path / "events.duckdb")
    store = open_store(path, CHAOS_AGENT, EMBEDDING)
    append(store, *SOME)
    store.close()
    row = "INSERT INTO chaos.chaos_agent_actor_events SELECT * REPLACE ({}) FROM chaos.chaos_agent_actor_events LIMIT 1"
    with duckdb.connect(path) as connection:
        for other in ("99 AS position", "uuid() AS id"):
            with pytest.raises(duckdb.ConstraintException, match="Duplicate key"):
                connection.execute(row.format(other))


def test_an_id_that_another_way_in_has_taken_is_said(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "events.duckdb"), CHAOS_AGENT, EMBEDDING)
    append(store, *SOME)
    with pytest.raises(DuplicateId, match=f"id {SOME[2].id} is taken"):
        append(store, SOME[2])
    store.close()


def test_event_memory_cannot_be_left_out_later(tmp_path: Path) -> None:
    path = str(tmp_path / "events.duckdb")
    open_store(path, CHAOS_AGENT, EMBEDDING).close()
    with pytest.raises(SchemaMismatch, match="0005_events"):
        open_store(path, CHAOS_AGENT.model_copy(update={"event_memory": None}), EMBEDDING)
