"""The files that this process has open, each once: whoever opens one again works on it in turn, and sees the same."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb

from lamina.adapters.duckdb.checkpoints import NONE_AT_THE_END, NONE_MEANWHILE, Checkpoints, undo_unfinished
from lamina.adapters.duckdb.errors import opening
from lamina.adapters.duckdb.held import HeldOfFile
from lamina.adapters.duckdb.new_file import make_file
from lamina.adapters.duckdb.places import place_of
from lamina.adapters.duckdb.snapshot import OFFLINE, Setting
from lamina.adapters.duckdb.turn import Turn
from lamina.domain.errors import StoreInUse, StoreUnavailable

MEMORY = ":memory:"
ALONE: Final[dict[str, Setting]] = {"threads": 1}
"""Statements here are small: to hand one out to other threads takes longer than to run it. numpy does what is large."""


class OpenFile:
    """One connection, whose turn it is to work on it, and what is held in memory of what is in the file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, place: Path | None = None) -> None:
        """What is in memory only has no place."""
        self.connection = connection
        self.place = place
        self.checkpoints = Checkpoints(place) if place else None
        self.turn = Turn()
        self.held = HeldOfFile()
        self.users = 0
        self._process = os.getpid()
        self.ours = True
        """Whether this process opened it, and was not forked from one that did."""

    def check_ours(self) -> None:
        """Refuses to be used by a process that was forked: both would write to one place, without a lock."""
        if not self.ours:
            raise StoreInUse(
                "store",
                f"was opened by process {self._process}, which this one was forked from",
                "open it after forking and in one process, or use Postgres for more than one",
            )

    def tidy(self) -> None:
        """After a unit: moves the log into the file when it has grown long. After a checkpoint that fails, as where the
        disk is full, DuckDB wants the file to be opened anew."""
        if self.place and self.checkpoints and self.checkpoints.due() and not self.checkpoints.made(self.connection):
            self.connection.close()
            # If somebody else was quicker, whoever works on it next is told that it is closed: the unit is committed.
            with suppress(OSError, duckdb.Error):
                self.connection = _connected(self.place)

    def close(self) -> None:
        """Moves the log into the file, and lets go of it."""
        if self.checkpoints and self.checkpoints.logged():
            self.checkpoints.made(self.connection)
        self.connection.close()
        if self.checkpoints:
            self.checkpoints.close()


_OPEN: Final[dict[Path, OpenFile]] = {}
OPENING: Final = threading.RLock()
"""Held while a file is opened, closed, or read by itself: to close any handle on a file drops this process's lock on
it. The collector may let go of a file in the middle of anything, so a thread that has it takes it again."""


def _forked() -> None:
    for file in _OPEN.values():
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
        there = _OPEN.get(place)
        if there is not None:
            return _used(there)
        _OPEN[place] = made = _opened(place)
        return _used(made)


def file_there(path: str) -> OpenFile | None:
    """The file, if this process has it open."""
    with OPENING:
        there = _OPEN.get(place_of(path))
        return _used(there) if there else None


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
            if file.place:
                del _OPEN[file.place]
            file.close()


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
