"""Which way a search of vectors goes, as the role that row security binds: by its index, or one by one."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.selecting import values_of
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.anchor import Anchor
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import state_row
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive
from lamina.domain.typology import Cell, Typology
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database

LARGE, SMALL = anchor("large"), anchor("small")
FACTS = Cell(Tier.PERSISTENT, Typology.SEMANTIC)
MANY = 1_500


def direction(draw: Random) -> list[float]:
    return [draw.gauss(0, 1) for _ in range(EMBEDDING.dimension)]


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    """A large anchor, all of it indexed, beside a small one; "large" begins early here, so that it is quick to make."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    store._statements.candidates.large = LargeCells(Names.of(SPEC), EMBEDDING, fewest=1_000)
    draw = Random(1)
    with store.unit(LARGE) as unit:
        unit.records.add([entry(record(f"fact {n}", LARGE), *direction(draw)) for n in range(MANY)])
    with store.unit(SMALL) as unit:
        unit.records.add([entry(record(f"fact {n}", SMALL), *direction(draw)) for n in range(12)])
    while store.maintain(batch=500):
        pass
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE worlds.world_agent_embeddings, worlds.world_agent_memory")
    yield store
    store.close()


def near(store: PostgresStore, whose: Anchor, limit: int, query: list[float], **more: Any) -> list[Any]:
    with store.unit(whose) as unit:
        found = unit.candidates.nearest(packed(query), EMBEDDING.model, Selection(**more), limit)
    return list(found)


def packed(query: list[float]) -> bytes:
    return array("f", query).tobytes()


def plan(store: PostgresStore, whose: Anchor, large: frozenset[Cell]) -> str:
    with store.unit(whose) as unit:
        transaction, statement = unit.records._transaction, store._statements.candidates.nearest(large)
        values = {"query": PackedVector(packed([1, 0, 0, 0])), "model": EMBEDDING.model, "limit": 10}
        values |= {"small_cells": [], "large_cells": [str(cell) for cell in large], "anchor_id": whose.id}
        values |= {**statement.fixed, **values_of(Selection())}
        if not large:
            values["small_cells"] = [str(FACTS)]
        rows = transaction.cursor.execute(b"EXPLAIN " + statement.text, values).fetchall()
    return "\n".join(row["QUERY PLAN"] for row in rows)


def test_a_large_anchor_is_searched_by_the_index(store: PostgresStore) -> None:
    with store.unit(LARGE) as unit:
        large = store._statements.candidates.large.of(unit.records._transaction, frozenset([FACTS]))
    assert large == {FACTS}
    assert Names.of(SPEC).near_index(FACTS, EMBEDDING.model) in plan(store, LARGE, large)


def test_a_small_anchor_is_compared_one_by_one(store: PostgresStore) -> None:
    with store.unit(SMALL) as unit:
        assert not store._statements.candidates.large.of(unit.records._transaction, frozenset([FACTS]))
    assert "_near_" not in plan(store, SMALL, frozenset())


def test_a_share_below_a_tenth_of_its_cell_is_compared_one_by_one(store: PostgresStore) -> None:
    cells = LargeCells(Names.of(SPEC), EMBEDDING, fewest=1)
    with store.unit(SMALL) as unit:
        assert not cells.of(unit.records._transaction, frozenset([FACTS]))
    with store.unit(LARGE) as unit:
        assert cells.of(unit.records._transaction, frozenset([FACTS])) == {FACTS}


def test_both_ways_find_the_same(store: PostgresStore) -> None:
    draw, by_index, one_by_one = Random(2), [], []
    queries = [direction(draw) for _ in range(20)]
    for query in queries:
        by_index += near(store, LARGE, 10, query)
    store._statements.candidates.large = LargeCells(Names.of(SPEC), EMBEDDING)
    for query in queries:
        one_by_one += near(store, LARGE, 10, query)
    agreeing = sum(a == b for a, b in zip(by_index, one_by_one, strict=True))
    assert agreeing >= 0.95 * len(one_by_one)


def test_no_write_pays_for_the_index(store: PostgresStore, database: Database) -> None:
    """It is as large as it was until maintenance moves the fresh rows into it."""
    index = f"worlds.{Names.of(SPEC).near_index(FACTS, EMBEDDING.model)}"

    def size() -> int:
        with psycopg.connect(database.as_superuser) as connection:
            row = connection.execute("SELECT pg_relation_size(%s)", [index]).fetchone()
        assert row is not None
        return int(row[0])

    before, draw = size(), Random(3)
    with store.unit(LARGE) as unit:
        unit.records.add([entry(record(f"fresh {n}", LARGE), *direction(draw)) for n in range(MANY)])
    assert size() == before
    while store.maintain(batch=500):
        pass
    assert size() > before


def test_what_is_not_yet_indexed_is_found_beside_what_is(store: PostgresStore) -> None:
    fresh = record("fresh", LARGE)
    with store.unit(LARGE) as unit:
        unit.records.add([entry(fresh, 1, 2, 3, 4)])
    found = near(store, LARGE, 10, [1, 2, 3, 4])
    assert found[0] == fresh.id
    assert len(found) == 10


def test_the_walk_goes_on_until_enough_live_rows_are_found(store: PostgresStore) -> None:
    """All but twenty are retired: whatever is nearest, twenty come back."""
    with store.unit(LARGE) as unit:
        for number in range(MANY - 20):
            retired = archive(record(f"fact {number}", LARGE), START, "stale")
            assert isinstance(retired, MemoryRecord)
            unit.records._transaction.count(
                store._statements.records.change,
                {f"new_{k}": v for k, v in _changed(retired).items()} | {"memory_id": retired.id},
            )
    assert len(near(store, LARGE, 20, [1, 0, 0, 0])) == 20
    assert len(near(store, LARGE, 30, [1, 0, 0, 0])) == 20


def _changed(one: MemoryRecord) -> dict[str, Any]:
    return {**state_row(one), "version": one.version}


def test_a_small_anchor_gets_all_that_it_has(store: PostgresStore) -> None:
    assert len(near(store, SMALL, 12, [1, 0, 0, 0])) == 12


def test_maintenance_marks_a_batch_of_whatever_anchor(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    for whose in (LARGE, SMALL):
        with store.unit(whose) as unit:
            unit.records.add([entry(record(f"fact {n}", whose), 1) for n in range(3)])
    assert [store.maintain(batch=4) for _ in range(3)] == [4, 2, 0]
    store.close()


def test_marking_shows_nothing_to_who_asks_for_it(database: Database) -> None:
    """The function runs as the owner; the application's role gains no sight of other anchors by its setting."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(LARGE) as unit:
        unit.records.add([entry(record("a", LARGE), 1)])
    store.close()
    with psycopg.connect(database.as_application) as connection:
        connection.execute("SELECT set_config('lamina.task', 'mark_indexed', true)")
        assert connection.execute("SELECT count(*) FROM worlds.world_agent_embeddings").fetchone() == (0,)
