"""Running statements on one cursor: rows in by columns, rows out by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from lamina.adapters.duckdb.errors import translated
from lamina.domain.instants import EPOCH

FEW = 8
"""Up to so many rows go in one by one; more go in as columns, which costs more to begin and less for each."""


class Statements:
    """One cursor in one transaction."""

    def __init__(self, cursor: DuckDBPyConnection) -> None:
        self._cursor = cursor

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Runs a statement that gives no rows."""
        with translated():
            self._cursor.execute(sql, list(parameters))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows of a query. A time is selected as epoch microseconds, in a column whose name ends in `_us`."""
        with translated():
            result = self._cursor.execute(sql, list(parameters))
            names = [column[0] for column in result.description or []]
            fetched = result.fetchall()
        return [_named(names, row) for row in fetched]

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, np.ndarray[Any, Any]]:
        """The columns of a query, for work on many rows."""
        with translated():
            fetched: dict[str, np.ndarray[Any, Any]] = self._cursor.execute(sql, list(parameters)).fetchnumpy()
        return fetched

    def insert(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Writes rows that all have the same columns."""
        if not rows:
            return
        if len(rows) <= FEW:
            self._insert_each(table, rows)
        else:
            self._insert_columns(table, rows)

    def _insert_each(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        names = list(rows[0])
        marks = ", ".join("?" for _ in names)
        for row in rows:
            self.run(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", [row[name] for name in names])

    def _insert_columns(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        given = {name: [row[name] for row in rows] for name in rows[0]}
        # What is NULL in every row need not be sent.
        columns = {
            name: _column(values) for name, values in given.items() if any(value is not None for value in values)
        }
        with translated():
            self._cursor.register("incoming", columns)
            self._cursor.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming")
            self._cursor.unregister("incoming")


def instants(names: Iterable[str], alias: str = "") -> str:
    """Times, selected as whole microseconds: the driver would want another package to make datetimes of them."""
    return ", ".join(f"epoch_us({alias}{name}) AS {name}_us" for name in names)


def _column(values: list[Any]) -> np.ndarray[Any, Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _named(names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    named = {}
    for name, value in zip(names, row, strict=True):
        if name.endswith("_us"):
            named[name[:-3]] = None if value is None else EPOCH + timedelta(microseconds=value)
        else:
            named[name] = value
    return named
