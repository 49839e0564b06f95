"""Running statements on one cursor: rows in by columns, rows out by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from duckdb import DuckDBPyConnection, Statement

from lamina.adapters.duckdb.arrays import Array
from lamina.adapters.duckdb.errors import translated
from lamina.adapters.duckdb.sending import Sending
from lamina.domain.columns import turned
from lamina.domain.instants import EPOCH

INCOMING = "incoming"
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_SINCE_1970: Final = " us"
"""No name that a spec gives has a blank in it."""
FEW = 8
"""Up to so many rows go in one by one; more go in as columns, which costs more to begin and less for each."""


Known = dict[str, Statement]
MOST_KNOWN: Final = 512
"""How many statements are remembered; then it begins anew."""


class Statements:
    """One cursor in one transaction. It begins with the first statement: what numpy answers alone needs none."""

    def __init__(self, cursor: DuckDBPyConnection, begin: str | None = None, known: Known | None = None) -> None:
        """`begin` begins the transaction; without it, whoever gave the cursor has done so. `known` are statements that
        were read before, of whatever cursor: to read a small one takes a fifth of the time that it takes to run it."""
        self._given = cursor
        self._begin = begin
        self._known = {} if known is None else known
        self.wrote = False
        """Whether anything was to be written: if not, there is nothing to undo."""
        self.failed = False
        """Whether a statement was refused: then DuckDB undoes everything, and does not say so when it commits."""

    @property
    def _cursor(self) -> DuckDBPyConnection:
        if self._begin is not None:
            self._given.execute(self._begin)
            self._begin = None
        return self._given

    @property
    def begun(self) -> bool:
        """Whether there is a transaction to end."""
        return self._begin is None

    def _parsed(self, sql: str) -> Statement:
        if sql not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            (self._known[sql],) = self._given.extract_statements(sql)
        return self._known[sql]

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        try:
            with translated():
                yield
        except BaseException:
            self.failed = True
            raise

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Runs a statement that writes."""
        self.wrote = True
        with self._noticed():
            self._cursor.execute(self._parsed(sql), list(parameters))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows of a query. A time is selected by `instants`."""
        with self._noticed():
            result = self._cursor.execute(self._parsed(sql), list(parameters))
            names = [column[0] for column in result.description or []]
            fetched = result.fetchall()
        return _named(names, fetched)

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, Array]:
        """The columns of a query, for work on many rows."""
        with self._noticed():
            fetched: dict[str, Array] = self._cursor.execute(sql, list(parameters)).fetchnumpy()
        return fetched

    def insert(self, table: str, rows: Iterable[Mapping[str, Any]], also: Mapping[str, Any] = NOTHING) -> None:
        """Writes rows that all have the same columns in the same order, and beside them what is the same in each."""
        given = turned(rows)
        if given:
            count = len(next(iter(given.values())))
            self.insert_columns(table, given | {name: [value] * count for name, value in also.items()})

    def insert_columns(self, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Writes rows that are given by columns of one length."""
        rows = list(zip(*columns.values(), strict=True)) if len(next(iter(columns.values()))) <= FEW else None
        if rows is None:
            sent = Sending(columns)
            into = f"INSERT INTO {table} BY NAME SELECT {sent.selected} FROM {INCOMING}"
            self.run_on(sent.columns, into, sent.constants)
        else:
            marks = ", ".join("?" for _ in columns)
            for row in rows:
                self.run(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)

    def run_on(self, columns: Mapping[str, Array], sql: str, parameters: Sequence[Any] = ()) -> None:
        """Runs a statement that reads these columns as a table, called `INCOMING` in it."""
        self.wrote = True
        with self._noticed():
            self._cursor.register(INCOMING, columns)
            self._cursor.execute(sql, list(parameters))
            # After an error only a rollback is possible, and that takes it away too.
            self._cursor.unregister(INCOMING)


def instants(names: Iterable[str], alias: str = "") -> str:
    """Times, selected as whole microseconds: the driver would want another package to make datetimes of them."""
    return ", ".join(f'epoch_us({alias}{name}) AS "{name}{_SINCE_1970}"' for name in names)


def _named(names: Sequence[str], fetched: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    plain = [name.removesuffix(_SINCE_1970) for name in names]
    times = [name for name, selected in zip(plain, names, strict=True) if selected != name]
    rows = [dict(zip(plain, row, strict=True)) for row in fetched]
    for name in times:
        for row in rows:
            value = row[name]
            row[name] = None if value is None else EPOCH + timedelta(microseconds=value)
    return rows
