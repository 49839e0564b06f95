"""One transaction on a borrowed connection, bound to one anchor: what the repositories share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from psycopg import Connection, Cursor
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composable, Composed, Literal

from lamina.adapters.postgres.errors import About, nothing, translated
from lamina.adapters.postgres.names import ANCHOR_SETTING, key_setting
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.vectors import register
from lamina.domain.anchor import Anchor

Tell = Callable[[], About]
Values = Mapping[str, Any]


class Transaction:
    """Runs statements for one anchor. Every statement gets `anchor_id` without being told."""

    def __init__(self, connection: Connection[Any], anchor: Anchor, vector_oid: int) -> None:
        self.anchor = anchor
        self.connection = connection
        self.vector_oid = vector_oid
        self.cursor = connection.cursor(binary=True, row_factory=dict_row)
        register(self.cursor, vector_oid)

    def rows(self, statement: Statement, values: Values, about: Tell = nothing) -> list[DictRow]:
        """What a statement gives back."""
        with translated(about):
            return self._run(statement, values).fetchall()

    def count(self, statement: Statement, values: Values, about: Tell = nothing) -> int:
        """How many rows a statement touched."""
        with translated(about):
            return self._run(statement, values).rowcount

    def script(self, text: SQL, **parts: Composable) -> Cursor[DictRow]:
        """Runs a text with names in it."""
        return self.cursor.execute(text.format(**parts), prepare=False)

    def _run(self, statement: Statement, values: Values) -> Cursor[DictRow]:
        given = {**statement.fixed, "anchor_id": self.anchor.id, **values}
        return self.cursor.execute(statement.text, given, prepare=False)

    def each(self, runs: Sequence[tuple[Statement, Values]], about: Tell = nothing) -> None:
        """Runs statements one after another, all of them in one round trip."""
        if not runs:
            return
        with translated(about), self.connection.pipeline():
            for statement, values in runs:
                self._run(statement, values)


def opening(connection: Connection[Any], anchor: Anchor | None) -> Composed:
    """Begins a transaction and binds it to an anchor: one round trip, and safe behind a transaction pooler."""
    settings = {"TimeZone": "UTC"}
    if anchor is not None:
        settings |= {ANCHOR_SETTING: str(anchor.id)}
        settings |= {key_setting(name): value for name, value in anchor.parts}
    bind = SQL(", ").join(
        SQL("set_config({}, {}, true)").format(Literal(name), Literal(value)) for name, value in settings.items()
    )
    # A connection that is not in autocommit mode begins by itself.
    begin = SQL("BEGIN; ") if connection.autocommit else SQL("")
    return SQL("{}SELECT {}").format(begin, bind)
