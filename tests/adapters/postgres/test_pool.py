"""Connections: cut while idle, borrowed from the caller, closed by whoever opened them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import DuplicateId, StoreClosed, StoreError, StoreUnavailable
from lamina.domain.selection import Selection
from lamina.ports.store import Store
from lamina.testing.contracts.scope_cleanup import episode
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database


def cut(database: Database) -> int:
    """Ends every connection of the application, as a restart or an impatient proxy would."""
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        return connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s",
            [database.server.application],
        ).rowcount


def left(database: Database) -> int:
    """The application's connections, once the server has noticed those that were closed just now."""
    count = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        for _ in range(100):
            row = connection.execute(count, [database.server.application]).fetchone()
            if row == (0,):
                return 0
            time.sleep(0.05)
    assert row is not None
    return int(row[0])


def busy(store: Store, units: int) -> None:
    """Has the pool open that many connections."""
    if units:
        with store.unit(anchor()) as unit:
            unit.records.get([record("a").id])
            busy(store, units - 1)


@pytest.fixture(params=[True, False], ids=["autocommit", "no autocommit"])
def pool(request: pytest.FixtureRequest, database: Database) -> Iterator[ConnectionPool[Connection[Any]]]:
    """A pool that a caller made in their own way."""
    with ConnectionPool(database.as_application, min_size=1, max_size=4, kwargs={"autocommit": request.param}) as pool:
        yield pool


def test_a_store_survives_that_its_idle_connections_are_cut(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    busy(store, 4)
    assert cut(database) == 4
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    with store.unit(anchor()) as unit:
        assert set(unit.records.get([record("a").id])) == {record("a").id}
    store.close()


def test_a_callers_pool_is_checked_too(pool: ConnectionPool[Connection[Any]], database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
    busy(store, 3)
    assert cut(database)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])


def test_a_connection_that_breaks_in_the_middle_is_said_and_nothing_is_written(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with pytest.raises(StoreUnavailable, match="try again"), store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
        assert cut(database)
        unit.records.get([record("a").id])
    with store.unit(anchor()) as unit:
        assert unit.records.get([record("a").id]) == {}
    store.close()


def test_a_callers_pool_stays_open(pool: ConnectionPool[Connection[Any]], database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    store.close()
    with pytest.raises(StoreClosed), store.unit(anchor()):
        pass
    with pool.connection() as connection:
        left = connection.execute("SELECT nullif(current_setting('lamina.anchor_id', true), '')").fetchone()
    assert left == (None,)


def test_our_own_pool_is_closed(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    busy(store, 3)
    store.close()
    assert left(database) == 0


def test_a_pool_that_its_owner_closed_is_said(pool: ConnectionPool[Connection[Any]], database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
    pool.close()
    with pytest.raises(StoreClosed, match="open the store again"), store.unit(anchor()):
        pass


def test_connections_go_back_after_each_unit(database: Database) -> None:
    """One unit after another needs one connection, however many there are and however they end."""
    with ConnectionPool(database.as_application, min_size=1, max_size=1, timeout=2) as pool:
        store = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
        for _ in range(5):
            with store.unit(anchor()) as unit:
                unit.records.get([record("a").id])
            with pytest.raises(ZeroDivisionError), store.unit(anchor()):
                1 / 0  # noqa: B018


def test_a_unit_that_hid_its_error_does_not_end_as_if_it_had_written(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    with pytest.raises(StoreError, match="nothing was written"), store.unit(anchor()) as unit:
        unit.records.add([entry(record("b"), 1)])
        with pytest.raises(DuplicateId):
            unit.records.add([entry(record("a"), 1)])
    store.close()


def test_a_pool_that_prepares_nothing_is_taken_at_its_word(database: Database) -> None:
    never = {"prepare_threshold": None, "autocommit": True}
    with ConnectionPool(database.as_application, min_size=1, max_size=1, timeout=2, kwargs=never) as pool:
        store = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
        for _ in range(3):
            with store.unit(anchor()) as unit:
                unit.records.get([record("a").id])
                asked = unit.records._transaction.connection.execute("SELECT count(*) FROM pg_prepared_statements")
                assert asked.fetchone() == (0,)


def test_a_unit_that_reads_sees_one_moment(database: Database) -> None:
    """What a search has found, it can read: also what a scope's end has taken away meanwhile."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    seen = episode("seen")
    with store.unit(anchor()) as unit:
        unit.records.add([entry(seen, 1)])
    with store.reading(anchor()) as reader:
        found = reader.candidates.newest(Selection(), limit=9)
        for step in ("detach", "remove"):
            with store.unit(anchor()) as unit:
                getattr(unit.scope_cleanup, step)([seen.id])
        assert set(reader.records.get(found)) == {seen.id}
    with store.reading(anchor()) as reader:
        assert reader.records.get([seen.id]) == {}
    store.close()
