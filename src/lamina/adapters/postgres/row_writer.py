"""Writes rows of one table: a few by INSERT in one round trip, many by binary COPY.

Under row security PostgreSQL takes no COPY into the table itself. So rows are copied to a temporary table, and moved
from there by one INSERT, which the table's policies, triggers and constraints look at as at any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString

from psycopg import Cursor
from psycopg.errors import UniqueViolation
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composable, Identifier
from psycopg.types.json import Jsonb
from sqlalchemy import Boolean, Column, Integer, Table
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID
from sqlalchemy.types import TypeEngine

from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.errors import About, nothing, translated, translation
from lamina.adapters.postgres.statements import Statement, insertion, typed
from lamina.adapters.postgres.transaction import Tell, Transaction
from lamina.domain.columns import Columns, parted, turned

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
    conflict: Composable | None = None
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
        every = turned(rows)
        if every:
            columns = parted(every)
            # The same row again and again: something must be copied, if only to be refused.
            copied = columns if columns.differing else Columns({}, every)
            _Copying(transaction, self, copied).run(about)


class _Copying:
    """One batch on its way. What is the same in every row stands in the INSERT, and is not copied at all."""

    def __init__(self, transaction: Transaction, writer: RowWriter, columns: Columns) -> None:
        self._transaction = transaction
        self._table = writer.table
        self._conflict = writer.conflict
        self._columns = columns

    def run(self, about: Tell) -> None:
        """Copies what differs to a table of its own, and inserts from there."""
        with translated(about):
            self._script("CREATE TEMPORARY TABLE {stage} ON COMMIT DROP AS SELECT {copied} FROM {table} WITH NO DATA")
            self._fill()
            try:
                # A savepoint, so that the rows can still be asked which of them is taken.
                with self._transaction.connection.transaction():
                    self._script("INSERT INTO {table} ({every}) SELECT {values} FROM {stage}{conflict}")
            except UniqueViolation as error:
                raise translation(error, About(records=self._taken())) from error
            self._script("DROP TABLE {stage}")

    def _fill(self) -> None:
        columns = [self._table.columns[name] for name in self._columns.differing]
        copying = SQL("COPY {stage} ({copied}) FROM STDIN (FORMAT BINARY)").format(**self._names)
        with self._transaction.cursor.copy(copying) as copy:
            copy.set_types([_kind(column, self._transaction.vector_oid) for column in columns])
            for row in zip(*(self._sent(column) for column in columns), strict=True):
                copy.write_row(row)

    def _sent(self, column: Column[Any]) -> Sequence[Any]:
        values = self._columns.differing[column.name]
        return [Jsonb(value, dumps=str.encode) for value in values] if isinstance(column.type, JSONB) else values

    def _taken(self) -> list[object]:
        if "id" not in self._columns.differing:
            return [self._columns.same["id"]] if "id" in self._columns.same else []
        twice = "SELECT id FROM {stage} GROUP BY id HAVING count(*) > 1"
        there = "SELECT id FROM {stage} JOIN {table} AS there USING (id) WHERE there.anchor_id = %(anchor_id)s"
        return [row["id"] for text in (twice, there) for row in self._script(text).fetchall()]

    def _script(self, text: LiteralString) -> Cursor[DictRow]:
        given = {**self._columns.same, "anchor_id": self._transaction.anchor.id}
        return self._transaction.cursor.execute(SQL(text).format(**self._names), given, prepare=False)

    @property
    def _names(self) -> dict[str, Composable]:
        copied = [Identifier(name) for name in self._columns.differing]
        given = [Identifier(name) for name in self._columns.same]
        values = [typed(self._table.columns[name]) for name in self._columns.same]
        return {
            "table": Identifier(self._table.schema or "", self._table.name),
            "stage": Identifier("pg_temp", self._table.name),
            "conflict": self._conflict or SQL(""),
            "copied": SQL(", ").join(copied),
            "every": SQL(", ").join([*copied, *given]),
            "values": SQL(", ").join([*copied, *values]),
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
