"""Glances: one round trip, on any connection, and not where an anchor is large."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool
from tests.adapters.postgres.pooler import pooled
from tests.adapters.postgres.test_pool import cut

from lamina.adapters.postgres import glances as module
from lamina.adapters.postgres.pool import Borrowing
from lamina.adapters.postgres.remembered import Remembered
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.adapters.postgres.transaction import Binding
from lamina.domain.errors import StoreClosed, StoreError
from lamina.domain.selection import Selection
from lamina.domain.sheet import Wanted
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, vector

if TYPE_CHECKING:
    from tests.conftest import Database

LIVE = Selection()
WANTED = Wanted(vector(1), EMBEDDING.model, ["gate"])


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(f"{number}"), 1, lexemes=["gate"]) for number in range(3)])
    yield store
    store.close()


def seen(store: PostgresStore) -> int | None:
    """How many are on the sheet."""
    sheet = store.glances.sheet(anchor(), LIVE, WANTED)
    return len(sheet.outlines) if sheet else None


def test_no_transaction_is_begun_for_it(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {record("1").id: 1}
    assert store.glances.records(anchor(), versions)

    def begun(*_: object) -> None:
        pytest.fail("a transaction was begun")

    monkeypatch.setattr(Borrowing, "begun", begun)
    assert seen(store) == 3
    assert store.glances.records(anchor(), versions).keys() == versions.keys(), "it was read a moment ago"


def test_what_binds_it_ends_with_it(store: PostgresStore) -> None:
    seen(store)
    with store._borrowing.idle() as connection:
        asked = "SELECT current_setting('lamina.anchor_id', true), current_setting('plan_cache_mode')"
        assert connection.execute(asked).fetchone() in ((None, "auto"), ("", "auto"))
        assert connection.execute("SELECT count(*) FROM worlds.world_agent_memory").fetchone() == (0,)


def test_it_is_planned_once_where_the_session_is_ours(store: PostgresStore) -> None:
    for _ in range(3):
        seen(store)
    with store._borrowing.idle() as connection:
        prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement ~ 'sketches'")
        assert prepared.fetchone() == (1,)


def test_a_connection_that_was_cut_is_replaced(store: PostgresStore, database: Database) -> None:
    assert seen(store) == 3
    assert cut(database)
    assert seen(store) == 3


def test_behind_a_pooler_nothing_is_left_in_a_session(store: PostgresStore, database: Database) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="lamina-") as folder,
        pooled(database.as_application, Path(folder), 2) as url,
    ):
        other = open_store(url, SPEC, EMBEDDING)
        for _ in range(4):
            assert seen(other) == 3
        other.close()
        with psycopg.connect(url, autocommit=True, prepare_threshold=None) as raw:
            for _ in range(2):
                assert raw.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
                assert raw.execute("SELECT count(*) FROM worlds.world_agent_memory").fetchone() == (0,)


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_callers_pool_is_looked_through_as_it_is(store: PostgresStore, database: Database, autocommit: bool) -> None:
    """Whose connections begin by themselves, no statement of theirs ends with the look."""
    pool: ConnectionPool[Connection[Any]]
    with ConnectionPool(database.as_application, min_size=1, max_size=2, kwargs={"autocommit": autocommit}) as pool:
        other = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
        assert seen(other) == (3 if autocommit else None)
        assert other.glances.are_worth_it(anchor(), 9) == autocommit, "it is not tried in vain again"
        with pool.connection() as connection:
            assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


@pytest.mark.parametrize("bound", ["MOST_RECORDS", "MOST_KEPT", "MOST_POSTINGS"])
def test_what_is_too_large_is_not_looked_at_again_for_a_while(
    store: PostgresStore, database: Database, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(module, bound, 2)
    small = open_store(database.as_application, SPEC, EMBEDDING)
    assert small.glances.are_worth_it(anchor(), 9)
    assert seen(small) is None
    assert not small.glances.are_worth_it(anchor(), 9)
    assert small.glances.are_worth_it(anchor("other"), 9)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    assert seen(small) is None
    assert small.glances.are_worth_it(anchor(), 9)
    small.close()


def test_a_text_of_many_words_is_asked_for_step_by_step(store: PostgresStore) -> None:
    assert store.glances.are_worth_it(anchor(), module.MOST_TERMS)
    assert not store.glances.are_worth_it(anchor(), module.MOST_TERMS + 1)


@pytest.mark.parametrize("setting", ["lock_timeout", "statement_timeout"])
@pytest.mark.parametrize("before", range(3))
def test_a_look_that_took_too_long_is_not_tried_twice_and_spoils_nothing(
    store: PostgresStore, database: Database, monkeypatch: pytest.MonkeyPatch, setting: str, before: int
) -> None:
    """Whether it was the first look of its connection, the one that is prepared, or a later one."""
    looked = []
    look = Borrowing._look_once

    def counted(self: Borrowing, *asked: Any) -> list[Any] | None:
        looked.append(asked)
        return look(self, *asked)

    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        superuser.execute(f"ALTER ROLE {database.server.application} SET {setting} = '200ms'")
        other = open_store(database.as_application, SPEC, EMBEDDING)
        for _ in range(before):
            assert seen(other) == 3
        monkeypatch.setattr(Borrowing, "_look_once", counted)
        with superuser.transaction(), pytest.raises(StoreError, match="timeout"):
            superuser.execute("LOCK TABLE worlds.world_agent_memory IN ACCESS EXCLUSIVE MODE")
            seen(other)
        assert len(looked) == 1
        assert [seen(other) for _ in range(4)] == [3] * 4
        other.close()
        superuser.execute(f"ALTER ROLE {database.server.application} RESET {setting}")


def test_times_are_told_in_utc_whatever_the_server_is_set_to(store: PostgresStore, database: Database) -> None:
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        superuser.execute(f"ALTER ROLE {database.server.application} SET timezone = 'America/New_York'")
        other = open_store(database.as_application, SPEC, EMBEDDING)
        (glanced,) = other.glances.records(anchor(), {record("1").id: 1}).values()
        other.close()
        superuser.execute(f"ALTER ROLE {database.server.application} RESET timezone")
    assert glanced.recorded_at.tzinfo is UTC
    assert glanced.validity.valid_at.tzinfo is UTC


def test_a_pool_that_is_looked_through_is_a_pool_that_is_in_use(store: PostgresStore) -> None:
    lent = []

    def run(connection: Connection[Any], _: bool) -> Any:
        lent.append(connection in store._borrowing._lent)
        return connection.execute("SELECT 1")

    store._borrowing.look(Binding.to_look(anchor()), run)
    assert lent == [True]
    assert not store._borrowing._lent


def test_a_pool_that_is_reset_by_its_owner_is_not_prepared_in(store: PostgresStore, database: Database) -> None:
    def reset(connection: Connection[Any]) -> None:
        connection.execute("DISCARD ALL")

    pool: ConnectionPool[Connection[Any]]
    kwargs = {"autocommit": True}
    with ConnectionPool(database.as_application, min_size=1, max_size=1, kwargs=kwargs, reset=reset) as pool:
        other = open_store(database.as_application, SPEC, EMBEDDING, pool=pool)
        for _ in range(4):
            assert seen(other) == 3
            with other.reading(anchor()) as unit:
                assert len(unit.candidates.matching(["gate"], LIVE, limit=3)) == 3


def test_a_closed_store_says_so(store: PostgresStore) -> None:
    store.close()
    with pytest.raises(StoreClosed):
        seen(store)


def test_what_the_server_refuses_is_said_in_words(store: PostgresStore, database: Database) -> None:
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        connection.execute(f"REVOKE SELECT ON worlds.world_agent_postings FROM {database.server.application}")
    with pytest.raises(StoreError):
        seen(store)
    with store.reading(anchor()) as unit:
        assert len(unit.records.get([record("1").id])) == 1, "the connection is as good as before"


def test_only_so_many_records_are_remembered() -> None:
    held = Remembered(most=2)
    records = [record(f"{number}") for number in range(5)]
    for one in records:
        held.keep([one])
    found = [one for one in records if held.get(one.scope.anchor.id, one.id, one.version)]
    assert found == records[2:]


def test_an_anchor_whose_records_are_missed_again_and_again_is_read_whole(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_MISSES", 2)
    monkeypatch.setattr(module, "MOST_ANCHORS", 1)
    looks = []
    look = Borrowing.look

    def counted(self: Borrowing, *asked: Any) -> list[Any] | None:
        looks.append(asked)
        return look(self, *asked)

    seen(store)
    monkeypatch.setattr(Borrowing, "look", counted)
    for number in range(3):
        id_ = record(f"{number}").id
        assert store.glances.records(anchor(), {id_: 1}).keys() == {id_}
    assert len(looks) == 2, "the second look brought the third record, too"
    assert store.glances.records(anchor(), {record("2").id: 7}) == {}, "another version is not what was seen"
    other = record("elsewhere").id
    assert store.glances.records(anchor("other"), {other: 1}) == {}
    assert store.glances._misses.keys() == {anchor("other").id}, "what is counted is bounded"
