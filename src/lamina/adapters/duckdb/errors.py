"""Every driver error is translated here, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from lamina.domain.errors import (
    DuplicateId,
    KeptForGood,
    ReadOnly,
    StoreClosed,
    StoreError,
    StoreInUse,
    StoreUnavailable,
    TextTooLong,
    UnknownRecord,
    UnknownRule,
)


@contextmanager
def opening(path: str) -> Iterator[None]:
    """Around opening a file: says who holds it, or why it cannot be opened."""
    try:
        yield
    except duckdb.IOException as error:
        holder = re.search(r"\(PID (\d+)\)", str(error))
        if holder:
            raise StoreInUse(
                path,
                f"is held by process {holder[1]}",
                "work in that process, work on a copy that `lamina snapshot` makes,"
                " or use Postgres for more than one process",
            ) from error
        raise StoreUnavailable(path, f"cannot be opened: {_first_line(error)}", _remedy(error)) from error
    except duckdb.ConnectionException as error:
        raise StoreInUse(path, "is open in this process by another connection", "close that one first") from error
    except OSError as error:
        raise StoreUnavailable(path, f"cannot be opened: {error}", "check the path and its rights") from error
    except duckdb.Error as error:
        raise StoreUnavailable(path, f"cannot be opened: {_first_line(error)}", "is it a DuckDB file?") from error


def _remedy(error: duckdb.IOException) -> str:
    log = re.search(r'WAL file "(.*)": WAL does not match', str(error))
    return f"{log[1]} is the log of another file: move it away" if log else "check the path and its rights"


@contextmanager
def copying(target: str) -> Iterator[None]:
    """Around writing a copy of a file."""
    try:
        yield
    except (OSError, duckdb.Error) as error:
        raise StoreUnavailable(
            target, f"could not be written: {_first_line(error)}", "check its folder's rights and the room on the disk"
        ) from error


@contextmanager
def translated() -> Iterator[None]:
    """Around every statement: a driver error comes out as the error that the port names."""
    try:
        yield
    except duckdb.ConstraintException as error:
        raise _constraint(str(error)) from error
    except duckdb.ConnectionException as error:
        raise StoreClosed("store", "is closed", "open it again") from error
    except duckdb.TransactionException as error:
        raise _transaction(error) from error
    except duckdb.Error as error:
        raise StoreUnavailable(
            "store", f"failed: {_first_line(error)}", "nothing was written; look at the cause"
        ) from error


def _constraint(message: str) -> StoreError | TextTooLong:
    key = re.search(r'key "(.*?)"', message, re.DOTALL)
    named = key[1] if key else message
    if "violates primary key" in message or "Duplicate key" in message:
        return DuplicateId("id", f"is taken ({named})", "give a new one")
    if "foreign key" in message and "does not exist" in message:
        return _missing(named)
    if "foreign key" in message and "still referenced" in message:
        return KeptForGood(f"record ({named})", "stays: something still refers to it", "archive it instead")
    return StoreError("store", f"refused: {message.splitlines()[0]}", "nothing was written")


def _missing(named: str) -> StoreError:
    # Only a rule's key has more to it than these two: its columns are the spec's own.
    if re.fullmatch(r"anchor_id: [-0-9a-f]+, id: [-0-9a-f]+", named):
        return UnknownRecord(f"record ({named})", "is not there", "write the record first, in this anchor")
    return UnknownRule(f"rule ({named})", "is not there", "add the rule first, or refer to a version that exists")


def _transaction(error: duckdb.TransactionException) -> StoreError:
    if "read-only mode" in str(error):
        return ReadOnly("unit", "only reads, and was asked to write", "write in a unit that was not opened for reading")
    return StoreUnavailable("store", f"failed: {_first_line(error)}", "nothing was written; look at the cause")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
