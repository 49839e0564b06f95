"""Brings a database to the schema of a spec. Running it again changes nothing; two at once wait for each other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from zlib import crc32

import psycopg
from alembic import command
from alembic.config import Config
from psycopg import Connection
from psycopg.errors import FeatureNotSupported, InsufficientPrivilege, UndefinedFile
from psycopg.sql import SQL, Identifier
from sqlalchemy import Connection as AlembicConnection
from sqlalchemy import NullPool, create_engine
from sqlalchemy.exc import DBAPIError

from lamina.adapters.postgres.canonical_columns import check_columns
from lamina.adapters.postgres.connecting import connect
from lamina.adapters.postgres.errors import translated
from lamina.adapters.postgres.migrations.script import REVISIONS, Script
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.near_indexes import build_near_indexes
from lamina.adapters.postgres.opening import (
    EXTENSIONS,
    Server,
    check_model,
    check_revision,
    check_shape,
    find_extensions,
    missing_extension,
    read_revision,
    shape_of,
)
from lamina.domain.errors import SchemaMismatch
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec

_LOCKS: Final = 0x6C616D
_PAUSE: Final = 0.1


def migrate(url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, *, create_canonical: bool = False) -> None:
    """As the schema's owner: all of it in one transaction, then the HNSW indexes, which cannot be in one."""
    names = Names.of(spec)
    with connect(url) as connection, translated(), _alone(connection, names):
        _add_extensions(connection)
        server = find_extensions(connection)
        revision = read_revision(connection, names)
        if revision not in (None, *REVISIONS):
            check_revision(connection, names)
        if revision is not None:
            check_shape(connection, names)
        _upgrade(url, names, server, embedding, create_canonical=create_canonical)
        build_near_indexes(connection, names, server.extensions, embedding)


@contextmanager
def _alone(connection: Connection[Any], names: Names) -> Iterator[None]:
    # Asked for again and again: whoever waits inside a statement would hold up the concurrent index builds.
    key = (_LOCKS, crc32(f"{names.schema}.{names.prefix}".encode()) - (1 << 31))
    while not _answer(connection.execute("SELECT pg_try_advisory_lock(%s, %s)", key).fetchone()):
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def _answer(row: tuple[Any, ...] | None) -> bool:
    return bool(row and row[0])


def _add_extensions(connection: Connection[Any]) -> None:
    for name in EXTENSIONS:
        try:
            connection.execute(SQL("CREATE EXTENSION IF NOT EXISTS {}").format(Identifier(name)))
        except (InsufficientPrivilege, FeatureNotSupported, UndefinedFile) as error:
            raise missing_extension(name) from error


def _upgrade(url: str, names: Names, server: Server, embedding: EmbeddingChoice, *, create_canonical: bool) -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    try:
        with engine.begin() as alembic:
            connection = alembic.connection.driver_connection
            assert isinstance(connection, Connection)  # noqa: S101 (what the creator made)
            script = Script(connection, names, server.extensions)
            _prepare(connection, script, create_canonical=create_canonical)
            command.upgrade(_configured(alembic, script), "head")
            if names.canonical:
                script.run("containment.sql")
            _claim(connection, names, embedding)
    except DBAPIError as error:
        raise error.orig or error from error


def _prepare(connection: Connection[Any], script: Script, *, create_canonical: bool) -> None:
    connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(script.names.schema)))
    canonical = script.names.canonical
    if canonical is None:
        return
    name = f"{canonical.schema_name}.{canonical.table}"
    if _answer(connection.execute("SELECT to_regclass(%s)", [name]).fetchone()):
        check_columns(connection, canonical)
        return
    if not create_canonical:
        raise SchemaMismatch(
            f"canonical table {name}",
            "is not there",
            "create it first, or let Lamina make one (create_canonical=True, or --create-canonical)",
        )
    script.run("canonical.sql")


def _configured(connection: AlembicConnection, script: Script) -> Config:
    config = Config(attributes={"connection": connection, "script": script})
    config.set_main_option("script_location", "lamina.adapters.postgres:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _claim(connection: Connection[Any], names: Names, embedding: EmbeddingChoice) -> None:
    meta = Identifier(names.schema, names.own("meta"))
    claim = SQL("INSERT INTO {} (model, dimension, shape) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING").format(meta)
    connection.execute(claim, [embedding.model, embedding.dimension, shape_of(names)])
    check_model(connection, names, embedding)
