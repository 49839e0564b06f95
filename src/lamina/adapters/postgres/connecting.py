"""The first connection: here a wrong URL, a wrong password or a server that is down is found, and said in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict

from lamina.adapters.postgres.errors import translated
from lamina.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from lamina.adapters.postgres.pool import AnyPool

PATIENCE: Final = 10
"""Seconds until a server that does not answer is called unreachable."""


@contextmanager
def connected(url: str, pool: AnyPool | None = None) -> Iterator[Connection[Any]]:
    """A connection in autocommit mode to look around with, or one of the caller's pool."""
    if pool is not None:
        with translated(), pool.connection() as connection:
            yield connection
        return
    with connect(url) as connection, translated():
        yield connection


def connect(url: str) -> Connection[Any]:
    """A connection of our own, in autocommit mode."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise StoreUnavailable(
            "the URL", f"cannot be read: {_words(error)}", "write it as postgresql://user:password@host:5432/database"
        ) from error
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=PATIENCE, prepare_threshold=None)
    except psycopg.OperationalError as error:
        raise StoreUnavailable(_named(parts), f"cannot be reached: {_words(error)}", _remedy(str(error))) from error


def _named(parts: dict[str, Any]) -> str:
    """Where it is; never the password."""
    return f"server {parts.get('host', 'on the local socket')}, database {parts.get('dbname', 'of the user')}"


def _remedy(said: str) -> str:
    if "password" in said or "authentication" in said:
        return "check the user and the password in the URL"
    if "does not exist" in said:
        return "create it, or correct the URL"
    return "check that the server runs, and the host and the port in the URL"


def _words(error: Exception) -> str:
    # What follows the first line is libpq's own advice; ours comes after it.
    return str(error).strip().splitlines()[0].removeprefix("connection failed: ")
