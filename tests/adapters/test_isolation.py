"""The isolation kit on each back end, and what Postgres itself keeps from the actor, whatever it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Composable, Identifier, Literal

from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.statements import Statements
from lamina.adapters.duckdb.store import open_store as open_duckdb
from lamina.adapters.postgres.access import grant_actor
from lamina.adapters.postgres.store import PostgresStore, open_persona
from lamina.adapters.postgres.store import open_store as open_postgres
from lamina.application.backfill import backfill
from lamina.application.persona_memory import persona_memory
from lamina.application.views import ActorMemoryView
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.errors import NotPermitted
from lamina.domain.events import Persona
from lamina.testing.contracts.event_log import append
from lamina.testing.event_strategies import agent, event
from lamina.testing.isolation import EVER, Isolated, IsolationKit, live, resources_of
from lamina.testing.samples import EMBEDDING

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template

HERS = [f"chaos_agent_subconscious_{kind}" for kind in ("events", "ltm", "stm")]
Act = Callable[[], object]


class TestDuckDB(IsolationKit):
    @pytest.fixture
    def isolated(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Isolated]:
        heard: list[str] = []
        for name in ("run", "rows", "columns"):
            listen(monkeypatch, Statements, name, heard)
        run_on = Statements.run_on

        def told(self: Statements, columns: Any, sql: str, *more: Any) -> None:
            heard.append(sql)
            run_on(self, columns, sql, *more)

        monkeypatch.setattr(Statements, "run_on", told)
        store = open_duckdb(MEMORY, CHAOS_AGENT, EMBEDDING)
        yield Isolated(store, lambda act: sent_by(act, heard), HERS)
        store.close()


class TestPostgres(IsolationKit):
    @pytest.fixture
    def isolated(self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> Isolated:
        heard: list[str] = []
        listen(monkeypatch, psycopg.Cursor, "execute", heard)
        listen(monkeypatch, psycopg.Cursor, "copy", heard)
        return Isolated(store, lambda act: sent_by(act, heard), HERS)


def listen(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, heard: list[str]) -> None:
    method = getattr(owner, name)

    def told(self: Any, statement: Any, *more: Any, **named: Any) -> Any:
        heard.append(written(statement))
        return method(self, statement, *more, **named)

    monkeypatch.setattr(owner, name, told)


def written(statement: object) -> str:
    if isinstance(statement, Composable):
        return statement.as_string(None)
    return statement.decode() if isinstance(statement, bytes) else str(statement)


def sent_by(act: Act, heard: list[str]) -> Sequence[str]:
    heard.clear()
    act()
    return list(heard)


@pytest.fixture
def events(postgres_server: Server, template: Template) -> Iterator[Database]:
    database = postgres_server.database(template(CHAOS_AGENT, EMBEDDING).name)
    yield database
    database.drop()


@pytest.fixture
def store(events: Database) -> Iterator[PostgresStore]:
    store = open_postgres(events.as_application, CHAOS_AGENT, EMBEDDING)
    yield store
    store.close()


@pytest.fixture
def both_lived(store: PostgresStore) -> None:
    resources = resources_of(store)
    live(resources, agent(), [(Persona.ACTOR, ["harbour"], True), (Persona.SUBCONSCIOUS, ["secret"], True)])
    backfill(resources, [agent()])


def count(connection: psycopg.Connection[Any], table: str) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM chaos.{}").format(Identifier(table))).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.usefixtures("both_lived")
def test_raw_sql_in_the_actors_transaction_reads_nothing_of_the_other(store: PostgresStore) -> None:
    with store.persona(agent(), Persona.ACTOR).unit() as unit:
        connection = unit.log._transaction.connection
        assert [count(connection, table) for table in HERS] == [0, 0, 0]
        assert count(connection, "chaos_agent_actor_events") > 0
    with store.persona(agent(), Persona.SUBCONSCIOUS).unit() as unit:
        assert all(count(unit.log._transaction.connection, table) for table in HERS)


@pytest.mark.usefixtures("both_lived")
def test_raw_sql_in_the_actors_transaction_writes_nothing_of_the_other(store: PostgresStore) -> None:
    copy = SQL("INSERT INTO chaos.chaos_agent_subconscious_events SELECT * FROM chaos.chaos_agent_actor_events")
    with (
        pytest.raises(InsufficientPrivilege, match="row-level security"),
        store.persona(agent(), Persona.ACTOR).unit() as unit,
    ):
        unit.log._transaction.connection.execute(copy)


@pytest.mark.usefixtures("both_lived")
def test_a_role_of_the_actor_cannot_get_at_the_other_at_all(events: Database, store: PostgresStore) -> None:
    role = f"{events.server.application}_actor"
    with psycopg.connect(events.as_superuser, autocommit=True) as connection:
        connection.execute(SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(role), Literal("pw")))
    try:
        grant_actor(events.as_owner, CHAOS_AGENT, role)
        url = events.as_role(role, "pw")
        own = resources_of(store, "actor role")
        actors = open_persona(url, CHAOS_AGENT, EMBEDDING, agent(), Persona.ACTOR)
        view = ActorMemoryView(replace(persona_memory(own, agent(), Persona.ACTOR), store=actors))
        assert [one.content for one in view.get_range(*EVER)] == ["harbour", "done"]
        with view.do("light") as loop:
            loop.actor_output("road")
        assert view.rag_query("light")
        assert view.fuzzy_query("light road")
        view.close()
        with psycopg.connect(url, autocommit=True) as connection:
            for table in HERS:
                with pytest.raises(InsufficientPrivilege, match="permission denied"):
                    count(connection, table)
            for table in ("memory", "embeddings", "decisions"):
                with pytest.raises(InsufficientPrivilege, match="permission denied"):
                    count(connection, f"chaos_agent_{table}")
        with pytest.raises(NotPermitted):
            append(open_postgres(url, CHAOS_AGENT, EMBEDDING), event("s", persona=Persona.SUBCONSCIOUS))
        with pytest.raises(NotPermitted, match="lamina migrate --grant-dream-to ROLE"):
            open_postgres(url, CHAOS_AGENT, EMBEDDING).agents()
    finally:
        with psycopg.connect(events.as_superuser, autocommit=True) as connection:
            connection.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
            connection.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def test_the_actor_waits_for_nothing_of_the_other(store: PostgresStore) -> None:
    view = ActorMemoryView(persona_memory(resources_of(store), agent(), Persona.ACTOR))
    with store.persona(agent(), Persona.SUBCONSCIOUS).unit() as unit:
        unit.log.append([event("s", persona=Persona.SUBCONSCIOUS)])
        with view.do("light") as loop:
            loop.actor_output("road")
        assert view.fuzzy_query("light road")
