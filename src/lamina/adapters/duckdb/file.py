"""One file, one connection, one transaction at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb

from lamina.adapters.duckdb.errors import translated
from lamina.adapters.duckdb.snapshot import copy_database
from lamina.adapters.duckdb.statements import Known, Statements
from lamina.domain.errors import StoreClosed, StoreError

Undo = Callable[[], None]
READING = "BEGIN TRANSACTION READ ONLY"


class DuckDBFile:
    """Gives transactions, one after another: whoever works on the file in this process waits here for a turn."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = connection
        self._turn = threading.Lock()

    @contextmanager
    def begun(
        self, undone: Undo | None = None, begin: str = "BEGIN", known: Known | None = None
    ) -> Iterator[Statements]:
        """A transaction. `undone` is called if it wrote anything and failed: what numpy holds may say so still. `known`
        remembers its statements; no two personas share one, as a statement names whose tables it asks."""
        with self._turn:
            connection = self._open_connection()
            statements = Statements(connection, begin, known)
            try:
                yield statements
                _commit(connection, statements)
            except BaseException:
                if undone and statements.wrote:
                    undone()
                if statements.begun:
                    _roll_back(connection)
                raise

    def snapshot(self, target: str) -> None:
        """Writes a copy of everything that is committed to a new file."""
        with self._turn:
            copy_database(self._open_connection(), target)

    @property
    def is_open(self) -> bool:
        """Whether it is still held."""
        return self._connection is not None

    def close(self) -> None:
        """Lets go of the file. Closing twice is closing once."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open_connection(self) -> duckdb.DuckDBPyConnection:
        # Whoever has the turn works on the connection itself: to make a cursor takes longer than a small statement.
        if self._connection is None:
            raise StoreClosed("store", "is closed", "open it again")
        return self._connection


def _commit(connection: duckdb.DuckDBPyConnection, statements: Statements) -> None:
    if statements.failed:
        # DuckDB would answer the commit with a rollback, and not call it an error.
        raise StoreError("unit", "failed before it ended: nothing was written", "let its errors out of it")
    if statements.begun:
        with translated():
            connection.execute("COMMIT")


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.execute("ROLLBACK")
    except duckdb.Error:
        # A commit that failed, or a file that cannot be written to any more, has undone everything by itself.
        return
