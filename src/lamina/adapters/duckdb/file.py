"""One user of a file: one transaction at a time, and in turn with whoever else in this process works on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import finalize

import duckdb

from lamina.adapters.duckdb.errors import translated
from lamina.adapters.duckdb.held import HeldOfFile
from lamina.adapters.duckdb.open_file import OpenFile, file_there, leave, opened_file
from lamina.adapters.duckdb.snapshot import copy_database
from lamina.adapters.duckdb.statements import Known, Statements
from lamina.domain.errors import StoreClosed, StoreError

Undo = Callable[[], None]
READING = "BEGIN TRANSACTION READ ONLY"


class DuckDBFile:
    """Gives transactions, one after another: whoever works on the file in this process waits here for a turn."""

    def __init__(self, opened: OpenFile) -> None:
        self._opened: OpenFile | None = opened
        # Whoever forgets to close it has it closed by the collector, or when Python ends.
        self._leave = finalize(self, leave, opened)

    @classmethod
    def at(cls, path: str) -> DuckDBFile:
        """The file at a path, which is made if need be."""
        return cls(opened_file(path))

    @classmethod
    def there(cls, path: str) -> DuckDBFile | None:
        """The file at a path, if this process has it open."""
        opened = file_there(path)
        return cls(opened) if opened else None

    @contextmanager
    def begun(
        self, undone: Undo | None = None, begin: str = "BEGIN", known: Known | None = None
    ) -> Iterator[Statements]:
        """A transaction. `undone` is called if it wrote anything and failed: what numpy holds may say so still. `known`
        remembers its statements; no two personas share one, as a statement names whose tables it asks."""
        opened = self._working()
        with opened.turn.awaited(), opened.turn:
            # It may have been closed meanwhile.
            connection = self._working().connection
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
            if statements.wrote:
                opened.tidy()

    @contextmanager
    def turn(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The connection itself, with no transaction begun."""
        turn = self._working().turn
        with turn.awaited(), turn:
            yield self._working().connection

    @property
    def held(self) -> HeldOfFile:
        """What is held in memory of what is in the file."""
        return self._working().held

    def snapshot(self, target: str) -> None:
        """Writes a copy of everything that is committed to a new file."""
        with self.turn() as connection:
            copy_database(connection, target)

    def close(self) -> None:
        """Lets go of the file. Closing twice is closing once."""
        opened = self._opened
        if opened is None or not opened.ours:
            self._opened = None
            return
        # Refused inside a unit of its own, it stays open.
        with opened.turn.awaited(), opened.turn:
            self._opened = None
            self._leave()

    def _working(self) -> OpenFile:
        # Whoever has the turn works on the connection itself: to make a cursor takes longer than a small statement.
        if self._opened is None:
            raise StoreClosed("store", "is closed", "open it again")
        self._opened.check_ours()
        return self._opened


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
