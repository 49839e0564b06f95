"""What the database itself does for the log: it refuses every change, and lets the chains' writers wait in turn."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from lamina.adapters.postgres.migrate import migrate
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.persona_store import PersonaStatements
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.errors import NotPermitted, SchemaMismatch
from lamina.domain.event import LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.event_faults import FaultKind, faults
from lamina.domain.events import Persona
from lamina.domain.spec import AgentMemorySpec
from lamina.testing.contracts.event_log import ACTOR, EVER, SUBCONSCIOUS, append, whole
from lamina.testing.event_strategies import agent, event
from lamina.testing.samples import EMBEDDING, uuid

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template

PARTED = CHAOS_AGENT.model_copy(
    update={"persistence": CHAOS_AGENT.persistence.model_copy(update={"partitions": 2, "prefix": "parted"})}
)
TABLES = ["chaos.chaos_agent_actor_events", "chaos.chaos_agent_subconscious_events"]
SOME = [event(f"e {number}", number) for number in range(6)]


@pytest.fixture
def events(postgres_server: Server, template: Template) -> Iterator[Database]:
    database = postgres_server.database(template(CHAOS_AGENT, EMBEDDING).name)
    yield database
    database.drop()


@pytest.fixture
def store(events: Database) -> Iterator[PostgresStore]:
    store = open_store(events.as_application, CHAOS_AGENT, EMBEDDING)
    yield store
    store.close()


def personas(store: PostgresStore) -> dict[Persona, PersonaStatements]:
    assert store._personas is not None
    return store._personas


def bound(url: str) -> Connection[Any]:
    connection = psycopg.connect(url)
    for name, value in (("anchor_id", str(agent().id)), ("key.agent_id", "atlas")):
        connection.execute("SELECT set_config(%s, %s, true)", [f"lamina.{name}", value])
    return connection


def found_after(store: PostgresStore, events: Database, *statements: str) -> list[tuple[FaultKind, int]]:
    """What is found after somebody with all the rights switched the triggers off."""
    noted = append(store, *SOME)[-1].link
    with psycopg.connect(events.as_superuser) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(statement.replace("EVENTS", TABLES[0]).encode())
    return [(fault.kind, fault.position) for fault in faults(whole(store), until=noted)]


@pytest.mark.parametrize(
    "change",
    [
        "id = gen_random_uuid()",
        "ts = ts + interval '1 microsecond'",
        "loop_id = gen_random_uuid()",
        "kind = 'error'",
        "visibility = 'private'",
        "content = content || ' '",
        'metadata = \'{"name": "e 3"}\'',
        "metadata = 'broken'",
        "previous = hash",
        "hash = previous",
    ],
)
def test_a_change_is_found(store: PostgresStore, events: Database, change: str) -> None:
    assert ("changed", 3) in found_after(store, events, f"UPDATE EVENTS SET {change} WHERE position = 3")


def test_a_removal_is_found(store: PostgresStore, events: Database) -> None:
    found = found_after(store, events, "DELETE FROM EVENTS WHERE position IN (0, 2, 3, 5)")
    assert found == [("missing", 0), ("missing", 2), ("missing", 5)]


def test_a_swap_is_found(store: PostgresStore, events: Database) -> None:
    swap = "UPDATE EVENTS SET position = {} WHERE position = {}"
    found = found_after(store, events, swap.format(99, 2), swap.format(2, 3), swap.format(3, 99))
    assert found == [("reordered", 2), ("reordered", 3)]


def test_an_event_from_the_other_personas_log_is_found(store: PostgresStore, events: Database) -> None:
    append(store, *(event(f"s {number}", persona=SUBCONSCIOUS) for number in range(7)))
    copied = f"INSERT INTO EVENTS SELECT * FROM {TABLES[1]} WHERE position = 6"
    assert found_after(store, events, copied) == [("changed", 6)]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("act", ["TRUNCATE {} CASCADE", "DELETE FROM {}", "UPDATE {} SET content = ''"])
@pytest.mark.parametrize("who", ["owner", "superuser"])
def test_nobody_changes_what_happened(store: PostgresStore, events: Database, table: str, act: str, who: str) -> None:
    append(store, event("a"))
    append(store, event("b", persona=SUBCONSCIOUS))
    url = events.as_owner if who == "owner" else events.as_superuser
    with bound(url) as connection, pytest.raises(RestrictViolation, match="append-only") as error:
        connection.execute(act.format(table).encode())
    assert error.value.diag.constraint_name == "chaos_agent_append_only"


@pytest.mark.parametrize("act", ["TRUNCATE {} CASCADE", "DELETE FROM {}", "UPDATE {} SET content = ''"])
def test_nobody_changes_a_partition_either(template: Template, postgres_server: Server, act: str) -> None:
    database = postgres_server.database(template(PARTED, EMBEDDING).name)
    store = open_store(database.as_application, PARTED, EMBEDDING)
    for name in ("atlas", "b", "c", "d", "e", "f"):
        append(store, event("a"), whose=agent(name))
    store.close()
    for number in range(2):
        with (
            psycopg.connect(database.as_superuser) as connection,
            pytest.raises(RestrictViolation, match="append-only"),
        ):
            connection.execute(act.format(f"chaos.parted_actor_events_p{number}").encode())
    database.drop()


def test_the_application_reads_and_appends_and_nothing_else(events: Database) -> None:
    with psycopg.connect(events.as_superuser) as connection:
        for table in TABLES:
            rows = connection.execute(
                "SELECT privilege_type FROM information_schema.role_table_grants"
                " WHERE grantee = %s AND table_schema || '.' || table_name = %s ORDER BY 1",
                [events.server.application, table],
            ).fetchall()
            assert rows == [("INSERT",), ("SELECT",)]


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_seen_and_written_in_their_own_anchor_only(store: PostgresStore, events: Database, table: str) -> None:
    append(store, event("a"))
    append(store, event("b", persona=SUBCONSCIOUS))
    append(store, event("a"), whose=agent("other"))
    append(store, event("b", persona=SUBCONSCIOUS), whose=agent("other"))
    for url in (events.as_application, events.as_owner):
        with psycopg.connect(url) as connection:
            assert connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,), "bound to nothing"
        with bound(url) as connection:
            assert connection.execute(f"SELECT DISTINCT anchor_id FROM {table}".encode()).fetchall() == [(agent().id,)]
            with pytest.raises(InsufficientPrivilege, match="row-level security"):
                connection.execute(
                    f"INSERT INTO {table} SELECT gen_random_uuid(), 7, id, ts, loop_id, kind, visibility, content,"
                    f" metadata, previous, hash FROM {table}".encode()
                )


def test_a_role_can_be_kept_from_one_persona(store: PostgresStore, events: Database) -> None:
    """Nothing that is done for the actor touches the other table: a role that may not read it notices nothing."""
    append(store, event("s", persona=SUBCONSCIOUS))
    with psycopg.connect(events.as_owner) as connection:
        connection.execute(f"REVOKE ALL ON {TABLES[1]} FROM {events.server.application}".encode())
    logged = append(store, *SOME)
    with store.persona(agent(), ACTOR).unit() as unit:
        assert unit.log.append([event("more")])
        assert unit.log.get([SOME[0].id]) == {SOME[0].id: logged[0]}
        assert unit.log.range(*EVER, 0, 9)
        assert unit.log.last()
    with pytest.raises(NotPermitted):
        whole(store, SUBCONSCIOUS)


def test_whoever_appends_to_a_chain_waits_and_nobody_else_does(store: PostgresStore) -> None:
    with ThreadPoolExecutor(1) as pool:
        with store.persona(agent(), ACTOR).unit() as unit:
            unit.log.append([event("first")])
            assert pool.submit(append, store, event("s", persona=SUBCONSCIOUS)).result(10)
            assert pool.submit(append, store, event("a"), whose=agent("other")).result(10)
            assert whole(store) == [], "whoever reads waits for nobody"
            waiting: Future[list[LoggedEvent]] = pool.submit(append, store, event("second"))
            with pytest.raises(NotYet):
                waiting.result(0.3)
        assert [one.position for one in waiting.result(10)] == [1]
    assert faults(whole(store)) == []


def test_many_events_are_few_statements(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def counted(name: str) -> None:
        method = getattr(psycopg.Cursor, name)

        def call(*given: Any, **named: Any) -> Any:
            sent.append(name)
            return method(*given, **named)

        monkeypatch.setattr(psycopg.Cursor, name, call)

    with store.persona(agent(), ACTOR).unit() as unit:
        for name in ("execute", "executemany", "copy"):
            counted(name)
        unit.log.append([event(f"e {number}") for number in range(1_000)])
        assert 3 < len(sent) < 12, sent


@pytest.mark.parametrize("statement", ["get", "taken", "within", "within_after", "chain", "last", "end"])
def test_every_question_is_answered_by_an_index(store: PostgresStore, events: Database, statement: str) -> None:
    for name in ("atlas", "other"):
        append(store, *(event(f"e {number}", number) for number in range(2_000)), whose=agent(name))
    with psycopg.connect(events.as_owner, autocommit=True) as connection:
        connection.execute(f"ANALYZE {TABLES[0]}".encode())
    values = {"ids": [SOME[0].id], "start": SOME[1].ts, "end": SOME[5].ts, "after": 1, "limit": 3}
    with store.persona(agent(), ACTOR).reading() as unit:
        asked = getattr(personas(store)[ACTOR].log, statement)
        given = {**asked.fixed, "anchor_id": agent().id, **values}
        plan = unit.log._transaction.cursor.execute(b"EXPLAIN " + asked.text, given).fetchall()
    text = "\n".join(row["QUERY PLAN"] for row in plan)
    assert "Seq Scan" not in text, text
    assert "Sort" not in text, text
    assert "Filter" not in text.replace("One-Time Filter", ""), text


def test_the_events_of_a_loop_are_found_by_an_index(store: PostgresStore, events: Database) -> None:
    loops = [LoopId(uuid(f"loop {number}")) for number in range(500)]
    append(store, *(event(f"e {number}", number, loop_id=loops[number // 4]) for number in range(2_000)))
    with psycopg.connect(events.as_owner, autocommit=True) as connection:
        connection.execute(f"ANALYZE {TABLES[0]}".encode())
    with store.persona(agent(), ACTOR).reading() as unit:
        asked = personas(store)[ACTOR].log.of_loops
        given = {**asked.fixed, "anchor_id": agent().id, "loops": loops[:3], "after": -1}
        plan = unit.log._transaction.cursor.execute(b"EXPLAIN " + asked.text, given).fetchall()
    text = "\n".join(row["QUERY PLAN"] for row in plan)
    assert "chaos_agent_actor_events_by_loop" in text, text


def test_two_agents_of_one_database_have_chains_of_their_own(store: PostgresStore, events: Database) -> None:
    names = Names.of(CHAOS_AGENT)
    asked = personas(store)
    keys = {asked[persona].log.key_of(agent(name).id) for persona in Persona for name in ("atlas", "other")}
    assert len(keys) == 4
    assert names.event_tables == ("actor_events", "subconscious_events")


def test_event_memory_belongs_to_the_shape(events: Database) -> None:
    without: AgentMemorySpec = CHAOS_AGENT.model_copy(update={"event_memory": None})
    for refused in (
        lambda: open_store(events.as_application, without, EMBEDDING),
        lambda: migrate(events.as_owner, without, EMBEDDING),
    ):
        with pytest.raises(SchemaMismatch, match="event memory: true, not false"):
            refused()
