"""A checkpoint that is killed half-way is undone when the file is next opened.

DuckDB writes the blocks that say where everything is over themselves, with one checksum for each: killed in the middle
of one, it leaves a file that never opens again. So they are set aside before a checkpoint begins, and those that are
torn are put back if it did not end. What it was to move is in the log until then.
"""

from __future__ import annotations

import logging
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import duckdb
import numpy as np

from lamina.adapters.duckdb.snapshot import HEADERS, Setting

_log = logging.getLogger("lamina.duckdb")
LOG_LIMIT = 64 << 20
"""A checkpoint writes everything a second time: one for each 16 MB, as is usual, takes as long as a large write itself.
A log of this size is read again within half a second when a file is opened after a crash."""
NONE_MEANWHILE: Final[dict[str, Setting]] = {"checkpoint_threshold": "1000TB"}
NONE_AT_THE_END: Final = "PRAGMA disable_checkpoint_on_shutdown"
"""What leaves DuckDB no checkpoint to make by itself."""
_READABLE: Final = os.name != "nt"
"""Windows lets nobody else read a file that DuckDB has open: there, nothing can be set aside."""
_PLACE: Final = struct.Struct("<QQ")
"""Where a block begins, and how long it is."""
_FACTOR, _START = np.uint64(0xBF58476D1CE4E5B9), np.uint64(5381)
"""What DuckDB makes a checksum with."""


class Checkpoints:
    """Moves what is in a file's log into the file."""

    def __init__(self, path: Path) -> None:
        """To be closed after DuckDB has closed the file: closing any handle on it drops the process's own lock."""
        self._path = path
        self._log = path.with_name(f"{path.name}.wal")
        self._handle = os.open(path, os.O_RDONLY) if _READABLE else None
        self._failed_at = 0

    def due(self) -> bool:
        """Whether the log has grown long; where one has failed, twice as long as it was then."""
        return self.logged() > max(LOG_LIMIT, 2 * self._failed_at)

    def logged(self) -> int:
        """How much is in the log."""
        try:
            return self._log.stat().st_size
        except FileNotFoundError:
            return 0

    def made(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """Makes one. If it fails, nothing is lost: everything is committed, and in the log until a later one."""
        try:
            if self._handle is not None:
                self._set_aside(connection, self._handle)
            connection.execute("CHECKPOINT")
        except (OSError, duckdb.Error) as error:
            _log.warning("%s: what is in its log stays there for now: %s", self._path, error)
            self._failed_at = self.logged()
            return False
        self._failed_at = 0
        self._remove_what_was_set_aside()
        return True

    def close(self) -> None:
        """Lets go of the file."""
        if self._handle is not None:
            os.close(self._handle)

    def _set_aside(self, connection: duckdb.DuckDBPyConnection, handle: int) -> None:
        """A copy of the headers and of all that is written in its own place, which appears whole."""
        made = self._path.with_name(f"{self._path.name}.undo.new")
        with made.open("wb") as file:
            file.write(os.pread(handle, HEADERS, 0))
            for begin, length in _maps(connection):
                file.write(_PLACE.pack(begin, length) + os.pread(handle, length, begin))
            _to_disk(file)
        made.replace(_aside(self._path))
        _folder_to_disk(self._path.parent)

    def _remove_what_was_set_aside(self) -> None:
        try:
            _aside(self._path).unlink(missing_ok=True)
        except OSError as error:
            # It has another header than the file: nobody puts back what is in it.
            _log.warning("%s: its checkpoint ended, and %s may be removed: %s", self._path, _aside(self._path), error)


def undo_unfinished(path: Path) -> None:
    """Puts back what a checkpoint that did not end has overwritten. This process must not have the file open."""
    if not _aside(path).exists():
        return
    import fcntl  # noqa: PLC0415 (where it is not known, nothing is set aside)

    with path.open("r+b") as file, suppress(FileNotFoundError):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return  # Another process works on the file, perhaps in the middle of a checkpoint.
        with _aside(path).open("rb") as aside:
            _put_back(aside, file)
        _aside(path).unlink()


def _put_back(aside: IO[bytes], file: IO[bytes]) -> None:
    if aside.read(HEADERS) != file.read(HEADERS):
        return  # The last thing that a checkpoint writes is a header: it ended.
    while place := aside.read(_PLACE.size):
        begin, length = _PLACE.unpack(place)
        kept = aside.read(length)
        file.seek(begin)
        # A whole one opens, whether the checkpoint had come to it or not. It may also be that of a backup, put here in
        # the place of the file: two checkpoints of one beginning can leave the same headers.
        there = file.read(length)
        if len(there) < length or not _whole(there):
            file.seek(begin)
            file.write(kept)
    _to_disk(file)


def _whole(block: bytes) -> bool:
    """Whether DuckDB will take a block: it begins with the checksum of the rest."""
    words = np.frombuffer(block, "<u8")
    return bool(words[0] == np.bitwise_xor.reduce(words[1:] * _FACTOR) ^ _START)


def _maps(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, int]]:
    """Where the blocks are that say where everything is, and how long each is."""
    return connection.execute(
        f"SELECT {HEADERS} + block_id * block_size, block_size FROM pragma_metadata_info(), pragma_database_size()"
        " WHERE database_name = current_database()"
    ).fetchall()


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.undo")


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _folder_to_disk(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
