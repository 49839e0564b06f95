"""Every driver error is translated here, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from lamina.domain.errors import (
    DuplicateId,
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
                "work in that process, work on a copy of the file, or use Postgres for more than one process",
            ) from error
        raise StoreUnavailable(
            path, f"cannot be opened: {_first_line(error)}", "check the path and its rights"
        ) from error
    except duckdb.Error as error:
        raise StoreUnavailable(path, f"cannot be opened: {_first_line(error)}", "is it a DuckDB file?") from error


@contextmanager
def translated() -> Iterator[None]:
    """Around every statement: a driver error comes out as the error that the port names."""
    try:
        yield
    except duckdb.ConstraintException as error:
        raise _constraint(str(error)) from error
    except duckdb.ConnectionException as error:
        raise StoreClosed("store", "is closed", "open it again") from error
    except duckdb.Error as error:
        raise StoreUnavailable(
            "store", f"failed: {_first_line(error)}", "nothing was written; look at the cause"
        ) from error


def _constraint(message: str) -> StoreError | TextTooLong:
    key = re.search(r'key "(.*?)"', message, re.DOTALL)
    named = key[1] if key else message
    if "violates primary key" in message or "Duplicate key" in message:
        return DuplicateId("id", f"is taken ({named})", "give a new one")
    if "foreign key" in message and "does not exist" in message and "version" in named:
        return UnknownRule(f"rule ({named})", "is not there", "add the rule first, or refer to a version that exists")
    if "foreign key" in message and "does not exist" in message:
        return UnknownRecord(f"record ({named})", "is not there", "write the record first, in this anchor")
    return StoreError("store", f"refused: {message.splitlines()[0]}", "nothing was written")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
