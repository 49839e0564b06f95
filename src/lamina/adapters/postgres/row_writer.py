"""Writes rows of one table: a few by INSERT in one round trip, many by binary COPY.

Under row security PostgreSQL takes no COPY into the table itself. So rows are copied to a temporary table, and moved
from there by one INSERT, which the table's policies, triggers and constraints look at as at any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from psycopg.errors import UniqueViolation
from psycopg.sql import SQL, Composable, Composed, Identifier
from psycopg.types.json import Jsonb
from sqlalchemy import Boolean, Column, Integer, Table
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID
from sqlalchemy.types import TypeEngine

from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.errors import About, nothing, translated, translation
from lamina.adapters.postgres.statements import Statement, insertion
from lamina.adapters.postgres.transaction import Tell, Transaction

Row = Mapping[str, Any]
FEW: Final = 20
"""Up to here, single INSERTs are faster than making a temporary table."""

Batch = tuple["RowWriter", Iterable[Row]]


def write(transaction: Transaction, batches: Sequence[Batch], count: int, about: Tell = nothing) -> None:
    """Writes the rows of several tables, in order, all or none: if they are few, all of them in one round trip.

    `count` is about how many rows each table gets. Rows are made as they are sent: thousands at once would be in the
    way of everything else.
    """
    if count <= FEW:
        transaction.each([(writer.insert, row) for writer, rows in batches for row in rows], about)
        return
    for writer, rows in batches:
        writer.copy(transaction, rows, about)


_KINDS: Final = {UUID: "uuid", TIMESTAMP: "timestamptz", Integer: "int4", Boolean: "bool", JSONB: "jsonb"}


@dataclass(frozen=True, slots=True)
class RowWriter:
    """One table, and how its rows get there."""

    table: Table
    insert: Statement
    conflict: Composed | None = None
    """What becomes of a row that is there already; an error if nothing is said."""

    @classmethod
    def of(cls, table: Table) -> RowWriter:
        """The writer of a table."""
        return cls(table, Statement.of(insertion(table)))

    @classmethod
    def replacing(cls, table: Table, columns: Iterable[str], where: Composable) -> RowWriter:
        """One that writes these columns of a row that is there already, if the condition holds.

        In it, the row is called by its table's name, and the new one `excluded`.
        """
        written = SQL(", ").join(SQL("{0} = excluded.{0}").format(Identifier(name)) for name in columns)
        key = SQL(", ").join(Identifier(column.name) for column in table.primary_key)
        conflict = SQL(" ON CONFLICT ({}) DO UPDATE SET {} WHERE {}").format(key, written, where)
        text = Statement.of(insertion(table)).text + conflict.as_bytes()
        return cls(table, Statement(text, {}), conflict)

    def copy(self, transaction: Transaction, rows: Iterable[Row], about: Tell) -> None:
        """Writes many rows."""
        with translated(about):
            transaction.script(SQL("CREATE TEMPORARY TABLE {stage} (LIKE {table}) ON COMMIT DROP"), **self._names)
            self._fill(transaction, rows)
            try:
                # A savepoint, so that the rows can still be asked which of them is taken.
                with transaction.connection.transaction():
                    transaction.script(
                        SQL("INSERT INTO {table} ({columns}) SELECT {columns} FROM {stage}{conflict}"), **self._names
                    )
            except UniqueViolation as error:
                raise translation(error, About(records=self._taken(transaction))) from error
            transaction.script(SQL("DROP TABLE {stage}"), **self._names)

    def _fill(self, transaction: Transaction, rows: Iterable[Row]) -> None:
        columns = list(self.table.columns)
        values = itemgetter(*(column.name for column in columns))
        json_at = [place for place, column in enumerate(columns) if isinstance(column.type, JSONB)]
        copying = SQL("COPY {stage} ({columns}) FROM STDIN (FORMAT BINARY)").format(**self._names)
        with transaction.cursor.copy(copying) as copy:
            copy.set_types([_kind(column, transaction.vector_oid) for column in columns])
            for row in rows:
                copied = list(values(row))
                for place in json_at:
                    copied[place] = Jsonb(copied[place], dumps=str.encode)
                copy.write_row(copied)

    def _taken(self, transaction: Transaction) -> list[object]:
        if "id" not in self.table.columns:
            return []
        twice = SQL("SELECT id FROM {stage} GROUP BY id HAVING count(*) > 1")
        there = SQL("SELECT id FROM {stage} JOIN {table} USING ({key})")
        return [row["id"] for text in (twice, there) for row in transaction.script(text, **self._names).fetchall()]

    @property
    def _names(self) -> dict[str, Composable]:
        return {
            "table": Identifier(self.table.schema or "", self.table.name),
            "stage": Identifier("pg_temp", self.table.name),
            "conflict": self.conflict or SQL(""),
            "columns": SQL(", ").join(Identifier(column.name) for column in self.table.columns),
            "key": SQL(", ").join(Identifier(column.name) for column in self.table.primary_key),
        }


def _kind(column: Column[Any], vector_oid: int) -> str | int:
    if isinstance(column.type, VectorType):
        return vector_oid
    if isinstance(column.type, ARRAY):
        return f"{_named(column.type.item_type)}[]"
    return _named(column.type)


def _named(type_: TypeEngine[Any]) -> str:
    # An enum's binary form is its label's.
    return next((kind for known, kind in _KINDS.items() if isinstance(type_, known)), "text")
