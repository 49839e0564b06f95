"""The files that this process has open, each once: whoever opens one again works on it in turn, and sees the same."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb

from lamina.adapters.duckdb.checkpoints import NONE_AT_THE_END, NONE_MEANWHILE, Checkpoints, undo_unfinished
from lamina.adapters.duckdb.errors import opening
from lamina.adapters.duckdb.held import HeldOfFile
from lamina.adapters.duckdb.new_file import make_file
from lamina.adapters.duckdb.places import identity_of, place_of
from lamina.adapters.duckdb.snapshot import OFFLINE, Setting
from lamina.adapters.duckdb.turn import Turn
from lamina.domain.errors import StoreClosed, StoreError, StoreInUse, StoreUnavailable

MEMORY = ":memory:"
ALONE: Final[dict[str, Setting]] = {"threads": 1}
"""Statements here are small: to hand one out to other threads takes longer than to run it. numpy does what is large."""


class OpenFile:
    """One connection, whose turn it is to work on it, and what is held in memory of what is in the file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, place: Path | None = None) -> None:
        """What is in memory only has no place."""
        self._connection: duckdb.DuckDBPyConnection | None = connection
        self.place = place
        self.identity = identity_of(place) if place else None
        self.checkpoints = Checkpoints(place) if place else None
        self.turn = Turn()
        self.held = HeldOfFile()
        self.users = 0
        self._process = os.getpid()
        self.ours = True
        """Whether this process opened it, and was not forked from one that did."""

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """To be worked on in turn. Where a checkpoint failed and somebody else then had the file, it is tried again."""
        return self._reconnected() if self._connection is None else self._connection

    def check_ours(self) -> None:
        """Refuses to be used by a process that was forked: both would write to one place, without a lock."""
        if not self.ours:
            raise StoreInUse(
                "store",
                f"was opened by process {self._process}, which this one was forked from",
                "open it after forking and in one process, or use Postgres for more than one",
            )

    def check_there(self) -> None:
        """Refuses to be taken for what is at its place by now, or to make a file there."""
        if not self._is_there():
            raise StoreUnavailable(str(self.place), "was removed or replaced while it was open", "close it first")

    def tidy(self) -> None:
        """After a unit: moves the log into the file when it has grown long. After a checkpoint that fails, as where the
        disk is full, DuckDB wants the file to be opened anew."""
        if self.checkpoints and self.checkpoints.due() and self._is_there():
            made = False
            try:
                made = self.checkpoints.made(self.connection)
            finally:
                if not made:
                    self._disconnect()
            if not made:
                # If somebody else was quicker, whoever works on it next is told: the unit is committed.
                with suppress(StoreError):
                    self._reconnected()

    def close(self) -> None:
        """Moves the log into the file, and lets go of it."""
        with ExitStack() as ending:
            if self.checkpoints:
                ending.callback(self.checkpoints.close)
            ending.callback(self._disconnect)
            if self._connection and self.checkpoints and self.checkpoints.logged() and self._is_there():
                self.checkpoints.made(self._connection)

    def _is_there(self) -> bool:
        return self.place is not None and identity_of(self.place) == self.identity

    def _disconnect(self) -> None:
        former, self._connection = self._connection, None
        if former is not None:
            former.close()

    def _reconnected(self) -> duckdb.DuckDBPyConnection:
        if self.place is None:
            raise StoreClosed("store", "is closed", "open it again")
        with opening(str(self.place)), OPENING:
            self.check_there()
            self._connection = _connected(self.place)
        return self._connection


_OPEN: Final[dict[Path, OpenFile]] = {}
OPENING: Final = threading.RLock()
"""Held while a file is opened, closed, or read by itself: to close any handle on a file drops this process's lock on
it. The collector may let go of a file in the middle of anything, so a thread that has it takes it again."""


def _forked() -> None:
    for file in list(_OPEN.values()):
        file.ours = False
    OPENING.release()


if hasattr(os, "register_at_fork"):  # Windows forks nothing.
    # Never while a file is opened or closed: the child would wait for the end of that for ever.
    os.register_at_fork(before=OPENING.acquire, after_in_parent=OPENING.release, after_in_child=_forked)


def opened_file(path: str) -> OpenFile:
    """Opens or makes the file, or gives the one that is open."""
    if path == MEMORY:
        return _used(OpenFile(duckdb.connect(MEMORY, config=OFFLINE | ALONE)))
    with opening(path), OPENING:
        place = place_of(path)
        there = _there(place)
        if there is not None:
            return there
        _OPEN[place] = made = _opened(place)
        return _used(made)


def file_there(path: str) -> OpenFile | None:
    """The file, if this process has it open."""
    with OPENING:
        return _there(place_of(path))


@contextmanager
def unopened(path: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """The file, only read, so that asking makes none. Whoever asks holds `OPENING`, and knows that it is not open."""
    place = place_of(path)
    if not place.exists():
        raise StoreUnavailable(path, "is not there", "give the path of a store that is")
    undo_unfinished(place)
    with closing(duckdb.connect(str(place), read_only=True, config=OFFLINE)) as connection:
        yield connection


def leave(file: OpenFile) -> None:
    """Says that one who opened it is done. The last one closes it."""
    if not file.ours:
        return
    with OPENING:
        file.users -= 1
        if not file.users:
            if file.place and _OPEN.get(file.place) is file:
                del _OPEN[file.place]
            file.close()


def _there(place: Path) -> OpenFile | None:
    identity = identity_of(place)
    for file in list(_OPEN.values()):
        if file.place == place or file.identity == identity:
            file.check_there()
            _used(file)
            # The collector may have let go of it just before.
            if file in _OPEN.values():
                return file
    return None


def _used(file: OpenFile) -> OpenFile:
    file.users += 1
    file.check_ours()
    return file


def _opened(place: Path) -> OpenFile:
    make_file(place)
    connection = _connected(place)
    try:
        return OpenFile(connection, place)
    except BaseException:
        connection.close()
        raise


def _connected(place: Path) -> duckdb.DuckDBPyConnection:
    undo_unfinished(place)
    connection = duckdb.connect(str(place), config=OFFLINE | ALONE | NONE_MEANWHILE)
    connection.execute(NONE_AT_THE_END)
    return connection
