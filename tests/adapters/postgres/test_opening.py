"""What can be wrong before anything is read: each a named error that says what to do next."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from lamina.adapters.postgres.access import grant_access
from lamina.adapters.postgres.migrate import migrate
from lamina.adapters.postgres.migrations.script import REVISIONS
from lamina.adapters.postgres.opening import warn_of_characters
from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import (
    MissingExtension,
    NotPermitted,
    SchemaMismatch,
    StoreUnavailable,
    WrongModel,
)
from lamina.domain.retrieval import EmbeddingChoice
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database, Server


def tables(database: Database) -> int:
    with psycopg.connect(database.as_superuser) as connection:
        row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'worlds'").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("url", ["postgres//nothing", "nonsense", "postgresql://host/db?what=ever"])
def test_a_url_that_cannot_be_read(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="postgresql://user:password@host:5432/database"):
        open_store(url, SPEC, EMBEDDING)


def test_a_server_that_is_down() -> None:
    with pytest.raises(StoreUnavailable, match="check that the server runs") as error:
        open_store("postgresql://user:hidden@/db?host=/nowhere", SPEC, EMBEDDING)
    assert "hidden" not in str(error.value)


def test_a_wrong_password(database: Database) -> None:
    with pytest.raises(StoreUnavailable, match="check the user and the password") as error:
        open_store(database.as_role(database.server.application, "hidden"), SPEC, EMBEDDING)
    assert "hidden" not in str(error.value)


def test_a_database_that_is_not_there(postgres_server: Server) -> None:
    url = psycopg.conninfo.make_conninfo(postgres_server.url, dbname="nowhere")
    with pytest.raises(StoreUnavailable, match="create it, or correct the URL"):
        open_store(url, SPEC, EMBEDDING)


def test_a_schema_that_is_not_there(empty_database: Database) -> None:
    with pytest.raises(SchemaMismatch, match="run `lamina migrate`"):
        open_store(empty_database.as_owner, SPEC, EMBEDDING)


@pytest.mark.parametrize(("revision", "says"), [("0001", "run `lamina migrate`"), ("9999", "upgrade Lamina")])
def test_an_older_or_a_newer_schema(database: Database, revision: str, says: str) -> None:
    with psycopg.connect(database.as_owner) as connection:
        connection.execute("UPDATE worlds.world_agent_revision SET version_num = %s", [revision])
    with pytest.raises(SchemaMismatch, match=says):
        open_store(database.as_application, SPEC, EMBEDDING)


def test_a_newer_schema_is_not_migrated(database: Database) -> None:
    with psycopg.connect(database.as_owner) as connection:
        connection.execute("UPDATE worlds.world_agent_revision SET version_num = '9999'")
    with pytest.raises(SchemaMismatch, match="upgrade Lamina"):
        migrate(database.as_owner, SPEC, EMBEDDING)


def test_another_model(database: Database) -> None:
    for other in (EmbeddingChoice(model="other", dimension=4), EmbeddingChoice(model="sample", dimension=8)):
        with pytest.raises(WrongModel, match="lamina reembed"):
            open_store(database.as_application, SPEC, other)
        with pytest.raises(WrongModel, match="lamina reembed"):
            migrate(database.as_owner, SPEC, other)


def test_an_extension_that_only_a_superuser_can_add(postgres_server: Server) -> None:
    database = postgres_server.database()
    with pytest.raises(MissingExtension, match="CREATE EXTENSION vector"):
        migrate(database.as_owner, SPEC, EMBEDDING, create_canonical=True)
    assert tables(database) == 0
    database.drop()


def test_a_role_that_may_not_migrate(empty_database: Database) -> None:
    with psycopg.connect(empty_database.as_superuser, autocommit=True) as connection:
        for extension in ("pg_trgm", "btree_gist"):
            connection.execute(f"CREATE EXTENSION {extension}")
    with pytest.raises(NotPermitted, match="permission denied"):
        migrate(empty_database.as_application, SPEC, EMBEDDING, create_canonical=True)
    assert tables(empty_database) == 0


def test_a_canonical_table_that_its_owner_has_not_made(empty_database: Database) -> None:
    with pytest.raises(SchemaMismatch, match="create_canonical=True"):
        migrate(empty_database.as_owner, SPEC, EMBEDDING)
    assert tables(empty_database) == 0


def test_a_role_that_was_granted_nothing(empty_database: Database) -> None:
    migrate(empty_database.as_owner, SPEC, EMBEDDING, create_canonical=True)
    with pytest.raises(NotPermitted, match="lamina migrate --grant-to ROLE"):
        open_store(empty_database.as_application, SPEC, EMBEDDING)


def test_a_role_that_may_not_write(database: Database) -> None:
    with psycopg.connect(database.as_owner) as connection:
        connection.execute(f"REVOKE INSERT ON worlds.world_agent_embeddings FROM {database.server.application}")
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with pytest.raises(NotPermitted, match="lamina migrate --grant-to ROLE"), store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    with store.unit(anchor()) as unit:
        assert unit.records.get([record("a").id]) == {}
    store.close()


def test_granting_to_a_role_that_is_not_there(database: Database) -> None:
    with pytest.raises(Exception, match="does not exist"):
        grant_access(database.as_owner, SPEC, "nobody_at_all")


def test_the_characters_of_another_ctype_are_warned_of(
    postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE lamina_test_ctype TEMPLATE template0 LC_CTYPE 'C' LC_COLLATE 'C'")
    url = psycopg.conninfo.make_conninfo(postgres_server.url, dbname="lamina_test_ctype")
    with psycopg.connect(url, autocommit=True) as connection:
        warn_of_characters(connection)
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE lamina_test_ctype WITH (FORCE)")
    ((name, level, said),) = caplog.record_tuples
    assert (name, level) == ("lamina.postgres", logging.WARNING)
    assert said.startswith("database's LC_CTYPE is C: similarity")


def test_ours_is_not(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    open_store(database.as_application, SPEC, EMBEDDING).close()
    assert caplog.record_tuples == []


def test_the_revisions_that_the_code_knows_are_those_that_there_are() -> None:
    config = Config()
    config.set_main_option("script_location", "lamina.adapters.postgres:migrations")
    config.set_main_option("path_separator", "os")
    found = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(sorted(one.revision for one in found)) == REVISIONS
