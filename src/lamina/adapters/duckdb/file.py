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
        with self._turn, self._cursor() as cursor:
            statements = Statements(cursor, begin, known)
            try:
                yield statements
                _commit(cursor, statements)
            except BaseException:
                if undone and statements.wrote:
                    undone()
                if statements.begun:
                    _roll_back(cursor)
                raise

    def snapshot(self, target: str) -> None:
        """Writes a copy of everything that is committed to a new file."""
        with self._turn, self._cursor() as cursor:
            copy_database(cursor, target)

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

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if self._connection is None:
            raise StoreClosed("store", "is closed", "open it again")
        with translated():
            cursor = self._connection.cursor()
        try:
            yield cursor
        finally:
            cursor.close()


def _commit(cursor: duckdb.DuckDBPyConnection, statements: Statements) -> None:
    if statements.failed:
        # DuckDB would answer the commit with a rollback, and not call it an error.
        raise StoreError("unit", "failed before it ended: nothing was written", "let its errors out of it")
    if statements.begun:
        with translated():
            cursor.execute("COMMIT")


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    try:
        cursor.execute("ROLLBACK")
    except duckdb.Error:
        # A commit that failed, or a file that cannot be written to any more, has undone everything by itself.
        return
