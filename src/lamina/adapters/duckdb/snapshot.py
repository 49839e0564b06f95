"""A copy of a database while it is in use: by its own process with SQL, by any other with its files."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import duckdb

from lamina.adapters.duckdb.errors import copying, opening
from lamina.adapters.duckdb.places import place_of
from lamina.domain.errors import StoreError, StoreInUse, StoreUnavailable

Setting = str | bool | int | float | list[str]
OFFLINE: Final[dict[str, Setting]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""Nothing is fetched from anywhere: DuckDB would download an extension where a statement seems to need one."""
_ATTEMPTS: Final = 60
_PAUSE: Final = 0.05
_ARRIVING: Final = '"arriving/copy"'
"""What DuckDB calls a copy. It calls the database like its file, and no file is called this."""
HEADERS: Final = 3 * 4096
"""How far the headers of a DuckDB file reach; a checkpoint ends by writing one."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What tells whether a file of a database is still what it was."""

    inode: int
    size: int
    changed: int
    headers: bytes

    @classmethod
    def of(cls, path: Path) -> _Seen:
        headers, status = _headers(path), path.stat()
        return cls(status.st_ino, status.st_size, status.st_mtime_ns, headers)


def copy_files(path: str, target: str) -> None:
    """Copies a database file, with all that was committed when this began, while another process may write to it.

    Never in a process that has the file open in DuckDB: closing any file handle drops the process's own lock on the
    file. There, `copy_database` does it.
    """
    source = place_of(path)
    with opening(path):
        _check_source(path, source)
    with _arriving(target) as copy:
        _copy_both(source, copy)
        # Opening replays what was in the log; a checkpoint puts it into the one file.
        with duckdb.connect(str(copy), config=OFFLINE) as connection:
            connection.execute("CHECKPOINT")


def copy_database(cursor: duckdb.DuckDBPyConnection, target: str) -> None:
    """Copies the database that a cursor works on; no transaction may be open."""
    with _arriving(target) as copy:
        quoted = str(copy).replace("'", "''")
        ((source,),) = cursor.execute("""SELECT replace(current_database(), '"', '""')""").fetchall()
        cursor.execute(f"ATTACH '{quoted}' AS {_ARRIVING}")
        try:
            cursor.execute(f'COPY FROM DATABASE "{source}" TO {_ARRIVING}')
            cursor.execute(f"CHECKPOINT {_ARRIVING}")
        finally:
            cursor.execute(f"DETACH {_ARRIVING}")


@contextmanager
def _arriving(target: str) -> Iterator[Path]:
    """A name in a folder of its own beside the target, which becomes the target once the copy is whole."""
    wanted = place_of(target)
    _check_target(target, wanted)
    with copying(target):
        wanted.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=wanted.parent, prefix=f".{wanted.name}.") as folder:
            yield Path(folder) / "copy"
            _check_target(target, wanted)
            (Path(folder) / "copy").rename(wanted)


def _copy_both(source: Path, copy: Path) -> None:
    for _ in range(_ATTEMPTS):
        if _copied(source, copy):
            return
        time.sleep(_PAUSE)
    raise StoreInUse(
        str(source),
        "is written to faster than it can be copied, or was left in the middle of a checkpoint",
        "try again when its process has less to do; if there is none, open the file once",
    )


def _copied(source: Path, copy: Path) -> bool:
    """Copies both files; whether no checkpoint moved anything from the log into the database meanwhile."""
    log, log_copy = _log(source), _log(copy)
    log_copy.unlink(missing_ok=True)
    try:
        before, size = _Seen.of(source), log.stat().st_size if log.exists() else 0
        shutil.copyfile(source, copy)
        if size:
            shutil.copyfile(log, log_copy)
        # The log only grows until a checkpoint takes it away; what was in it when we began must be in the copy.
        whole = not size or (log_copy.stat().st_size >= size and log.stat().st_size >= size)
        return whole and not _checkpointing(source) and _Seen.of(source) == before
    except FileNotFoundError:
        return False


def _checkpointing(source: Path) -> bool:
    """While a checkpoint runs, commits go to another log, and what it overwrites is set aside with the old header."""
    undo = _beside(source, "undo")
    if undo.exists() and _headers(undo) == _headers(source):
        return True
    return any(_beside(source, name).exists() for name in ("wal.checkpoint", "wal.recovery"))


def _headers(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEADERS)


def _log(path: Path) -> Path:
    return _beside(path, "wal")


def _beside(path: Path, name: str) -> Path:
    return path.with_name(f"{path.name}.{name}")


def _check_source(path: str, source: Path) -> None:
    if not source.is_file():
        raise StoreUnavailable(path, "is not there", "give the path of a DuckDB file")
    with source.open("rb") as file:
        if file.read(12)[8:] != b"DUCK":
            raise StoreUnavailable(path, "is no DuckDB file", "give the path of one")


def _check_target(target: str, wanted: Path) -> None:
    if wanted.exists():
        raise StoreError(target, "is there already", "give a name that is not taken: nothing is overwritten")
