"""What a record is found by exactly: one row until maintenance spreads it, and nothing once it is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.record import MemoryRecord, Tags
from lamina.domain.selection import Selection
from lamina.domain.transitions import archive, tombstone
from lamina.testing.contracts.scope_cleanup import episode
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    yield store
    store.close()


def left(database: Database) -> tuple[Any, ...] | None:
    with psycopg.connect(database.as_superuser) as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM worlds.world_agent_documents),"
            " (SELECT count(*) FROM worlds.world_agent_postings)"
        ).fetchone()


def test_a_write_pays_for_one_row_and_maintenance_for_the_rest(store: PostgresStore, database: Database) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a", tags=Tags({"k": "v"})), lexemes=["gate", "gate", "open"])])
        unit.records.add([entry(record("b")), entry(record("c"), lexemes=["gate"])])
    assert left(database) == (2, 0)
    assert [store.maintain(batch=1) for _ in range(3)] == [1, 1, 0]
    assert left(database) == (2, 5)


@pytest.mark.parametrize("spread", [True, False])
def test_an_erasure_takes_the_document_and_its_postings(store: PostgresStore, database: Database, spread: bool) -> None:
    erased, other = record("a"), record("b")
    archived = archive(erased, START, "stale")
    assert isinstance(archived, MemoryRecord)
    blanked = tombstone(archived, 0, START, "asked for")
    assert isinstance(blanked, MemoryRecord)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(one, lexemes=["gate", "open"]) for one in (erased, other)])
    if spread:
        store.maintain(9)
    with store.unit(anchor()) as unit:
        unit.records.change(archived)
        unit.records.change(blanked)
    assert left(database) == ((1, 2) if spread else (1, 0))


def test_nobody_but_maintenance_writes_postings(store: PostgresStore, database: Database) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), lexemes=["gate"])])
    row = [anchor().id, record("a").id, START]
    text = "INSERT INTO worlds.world_agent_postings VALUES (%s, 'gate', %s, %s, 1, 1)"
    for role in (database.as_application, database.as_owner):
        with psycopg.connect(role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(text, row)


def test_spreading_shows_nothing_to_who_asks_for_it(store: PostgresStore, database: Database) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), lexemes=["gate"])])
    with psycopg.connect(database.as_application) as connection:
        connection.execute("SELECT set_config('lamina.task', 'spread_documents', true)")
        assert connection.execute("SELECT count(*) FROM worlds.world_agent_documents").fetchone() == (0,)


def test_a_longest_label_can_be_spread(store: PostgresStore) -> None:
    """An index row has a bound: a label of any characters that an envelope takes stays below it."""
    for character in ("\U0001f642", "\x01"):
        whole = Tags({"k" + character * 63: "v" + character * 255})
        one = record(f"with {ord(character)}", tags=whole)
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one)])
        assert store.maintain(9) == 1
        with store.reading(anchor()) as unit:
            assert unit.candidates.tagged(whole, Selection(), limit=9) == {one.id: 1.0}


def test_what_is_detached_while_it_is_spread_leaves_no_postings(store: PostgresStore, database: Database) -> None:
    """The removal waits for maintenance, and then sees what it wrote."""
    one = episode("seen")
    with store.unit(anchor()) as unit:
        unit.records.add([entry(one, lexemes=["gate", "open"])])

    def detach() -> None:
        with store.unit(anchor()) as unit:
            unit.scope_cleanup.detach([one.id])

    with ThreadPoolExecutor(1) as pool:
        with psycopg.connect(database.as_application) as maintenance:
            maintenance.execute("SELECT worlds.world_agent_spread_documents(9)")
            detaching = pool.submit(detach)
            with pytest.raises(TimeoutError):
                detaching.result(timeout=0.5)
        detaching.result(timeout=30)
    assert left(database) == (0, 0)


def test_two_who_maintain_at_once_spread_each_document_once(store: PostgresStore, database: Database) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(f"fact {number}"), lexemes=["gate", "open"]) for number in range(300)])
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(store.maintain, [40] * 30))
    assert sum(done) == 300
    assert left(database) == (300, 600)
