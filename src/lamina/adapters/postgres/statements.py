"""SQLAlchemy builds the statements, once for each store; psycopg runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from psycopg.sql import SQL, Composed, Placeholder
from sqlalchemy import ClauseElement, Column, ColumnElement, Table, Text, bindparam, cast
from sqlalchemy.dialects.postgresql import ENUM, JSONB, Insert, insert
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.compiler import SQLCompiler

_PARAMETER: Final = re.compile(rb"%(?:\((\w+)\)s|%)")
_DIALECT: Final = PGDialect_psycopg(paramstyle="pyformat")  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the driver takes it, with the values that are always the same."""

    text: bytes
    fixed: Mapping[str, Any]
    lasting: bool = False
    """Whether one plan serves whatever is asked: then a session that is ours alone reads and plans it once. To plan a
    search takes as long as to run it."""
    numbered: bytes = field(init=False)
    """The same with its parameters by number, as the server takes it: the driver would take a long one apart anew each
    time that it is run."""
    names: tuple[str, ...] = field(init=False)
    """The parameters, in the order of their numbers."""

    def __post_init__(self) -> None:
        names = tuple(dict.fromkeys(found.decode() for found in _PARAMETER.findall(self.text) if found))
        numbers = {name.encode(): b"$%d" % number for number, name in enumerate(names, 1)}
        numbered = _PARAMETER.sub(lambda found: numbers[found[1]] if found[1] else b"%", self.text)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "numbered", numbered)

    @classmethod
    def of(cls, clause: ClauseElement, *, lasting: bool = False) -> Statement:
        """What SQLAlchemy makes of it. A parameter without a value is given when it is run."""
        compiled = clause.compile(dialect=_DIALECT)
        assert isinstance(compiled, SQLCompiler)  # noqa: S101 (what the dialect makes of a statement)
        given = {name for name, parameter in compiled.binds.items() if parameter.required}
        fixed = {name: value for name, value in compiled.params.items() if name not in given}
        return cls(str(compiled).encode(), fixed, lasting)

    @classmethod
    def written(cls, text: Composed, *, lasting: bool = False) -> Statement:
        """One that says more as SQL; its parameters are named as psycopg names them."""
        return cls(text.as_bytes(), {}, lasting)


def insertion(table: Table, without: Iterable[str] = ()) -> Insert:
    """One row of a table, every column by its own name."""
    columns = [column for column in _written(table) if column.name not in set(without)]
    return insert(table).values({column.name: bindparam(column.name, type_=column.type) for column in columns})


def typed(column: Column[Any]) -> Composed:
    """A value for a column, given by its name, that says of which type it is: in a SELECT, nothing else does."""
    type_name = SQL(column.type.compile(dialect=_DIALECT))
    return SQL("CAST({} AS {})").format(Placeholder(column.name), type_name)


def readable(table: Table) -> list[ColumnElement[Any]]:
    """Every column of a table that is written, as the domain reads it: enums and JSON as text."""
    return [
        cast(column, Text).label(column.name) if isinstance(column.type, ENUM | JSONB) else column
        for column in _written(table)
    ]


def _written(table: Table) -> list[Column[Any]]:
    """The columns that are ours to write: what the server makes of them, it keeps."""
    return [column for column in table.columns if column.server_default is None]
