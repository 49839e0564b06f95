"""One transaction on a borrowed connection, bound to one anchor: what the repositories share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar
from weakref import WeakSet

from psycopg import Connection, Cursor, RawCursor
from psycopg.rows import DictRow, RowFactory, dict_row, tuple_row
from psycopg.sql import SQL, Composable, Literal

from lamina.adapters.postgres.arrays import register_arrays
from lamina.adapters.postgres.errors import About, nothing, translated
from lamina.adapters.postgres.names import (
    ACROSS_SETTING,
    ANCHOR_SETTING,
    PERSONA_SETTING,
    TASK_SETTING,
    across_setting,
    key_setting,
)
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.together import together
from lamina.adapters.postgres.vectors import register
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona

NEIGHBOURS_IN_VIEW: Final = 40
"""pgvector's own default of hnsw.ef_search."""
# A walk through HNSW goes on until enough rows pass the filters, instead of ending with the nearest few of all anchors.
_WALKING_ON: Final = {"hnsw.iterative_scan": "strict_order", "hnsw.ef_search": str(NEIGHBOURS_IN_VIEW)}
# What is prepared is what one plan serves, whatever is asked and however much there is: it is not planned anew for each
# question, and a plan that was made for a small table does not read all of it when it has grown. Only where nothing is
# written: what the triggers ask of the rules is better planned for the text in hand.
_ONE_PLAN: Final = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off"}
Tell = Callable[[], About]
Values = Mapping[str, Any]
R = TypeVar("R")


class Transaction:
    """Runs statements for one anchor. Every statement gets `anchor_id` without being told."""

    def __init__(self, connection: Connection[Any], anchor: Anchor, vector_oid: int, *, prepares: bool = False) -> None:
        """`prepares` says that its session is ours alone, so that what is prepared in it is found again."""
        self._prepares = prepares
        self.anchor = anchor
        self.connection = connection
        self.vector_oid = vector_oid
        self.in_view = NEIGHBOURS_IN_VIEW
        teach(connection, vector_oid)
        self.cursor = connection.cursor(binary=True, row_factory=dict_row)

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
        return self.cursor.execute(statement.text, given, prepare=self._prepares and statement.lasting)

    def many(self, runs: Sequence[tuple[Statement, Values]]) -> list[list[tuple[Any, ...]]]:
        """What several statements give back, in one round trip, as plain tuples: these may be many."""
        return self._answers(runs, tuple_row)

    def named(self, runs: Sequence[tuple[Statement, Values]]) -> list[list[DictRow]]:
        """What several statements give back, in one round trip, each row by its names."""
        return self._answers(runs, dict_row)

    def _answers(self, runs: Sequence[tuple[Statement, Values]], rows: RowFactory[R]) -> list[list[R]]:
        if not runs:
            return []
        with translated(), self._together(len(runs)):
            cursors = [self._numbered(*run, rows) for run in runs]
            return [cursor.fetchall() for cursor in cursors]

    def _numbered(self, statement: Statement, values: Values, rows: RowFactory[R]) -> RawCursor[R]:
        given = {**statement.fixed, "anchor_id": self.anchor.id, **values}
        return numbered(self.connection, statement, given, rows, prepares=self._prepares)

    def _together(self, count: int) -> AbstractContextManager[object]:
        # A pipeline of one only adds a synchronisation.
        return together(self.connection) if count > 1 else nullcontext()

    def each(self, runs: Sequence[tuple[Statement, Values]], about: Tell = nothing) -> None:
        """Runs statements one after another, all of them in one round trip."""
        if not runs:
            return
        with translated(about), together(self.connection):
            for statement, values in runs:
                self._run(statement, values)


def numbered(
    connection: Connection[Any], statement: Statement, given: Values, rows: RowFactory[R], *, prepares: bool
) -> RawCursor[R]:
    """Runs a statement with its parameters by number. What lasts is prepared, where it will be found again."""
    values_in_order = [given[name] for name in statement.names]
    cursor = RawCursor(connection, row_factory=rows)
    return cursor.execute(statement.numbered, values_in_order, prepare=prepares and statement.lasting, binary=True)


_TAUGHT: Final[WeakSet[Connection[Any]]] = WeakSet()


def teach(connection: Connection[Any], vector_oid: int) -> None:
    """Each connection once. What it learns to send are types of our own: for whoever else has it, nothing changes."""
    if connection not in _TAUGHT:
        register(connection, vector_oid)
        register_arrays(connection)
        _TAUGHT.add(connection)


# One snapshot for all of it: what one statement finds, the next can read, whatever is removed meanwhile.
_READING: Final = "ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@dataclass(frozen=True, slots=True)
class Binding:
    """What a transaction is bound to by its own settings, which end with it, and whether it may write."""

    settings: Mapping[str, str]
    read_only: bool = False

    @classmethod
    def to_anchor(cls, anchor: Anchor, *, read_only: bool = False) -> Binding:
        """Sees and writes what is of one anchor."""
        keys = {key_setting(name): value for name, value in anchor.parts}
        planning = _ONE_PLAN if read_only else {}
        return cls({ANCHOR_SETTING: str(anchor.id), **keys, **_WALKING_ON, **planning}, read_only)

    @classmethod
    def to_look(cls, anchor: Anchor) -> Binding:
        """Sees what is of one anchor, for one statement that is planned once for all."""
        keys = {key_setting(name): value for name, value in anchor.parts}
        return cls({ANCHOR_SETTING: str(anchor.id), **keys, **_ONE_PLAN}, read_only=True)

    @classmethod
    def to_persona(cls, anchor: Anchor, persona: Persona, *, read_only: bool = False) -> Binding:
        """Sees and writes what one persona of one anchor remembers: for the actor's, there is a wall about the rest."""
        bound = cls.to_anchor(anchor, read_only=read_only)
        return cls({**bound.settings, PERSONA_SETTING: persona.value}, read_only)

    @classmethod
    def across(cls, pattern: AnchorPattern) -> Binding:
        """Sees which anchors fit a pattern, and nothing of what they remember."""
        keys = {across_setting(name): value or "" for name, value in pattern.parts}
        return cls({ACROSS_SETTING: "bound", **keys}, read_only=True)

    @classmethod
    def to_task(cls, task: str) -> Binding:
        """Does what the schema's owner may do for all anchors; for any other role it sees nothing."""
        return cls({TASK_SETTING: task})

    def opening(self, connection: Connection[Any]) -> bytes:
        """Begins a transaction that is so bound, and tells whose session it is in: one round trip, and safe behind a
        transaction pooler."""
        # A connection that is not in autocommit mode begins by itself.
        mode = _READING if self.read_only else ""
        begin = f"BEGIN {mode}; " if connection.autocommit else f"SET TRANSACTION {mode}; " if mode else ""
        return begin.encode() + b"SELECT pg_backend_pid(), " + _binding(("TimeZone", "UTC"), *self.settings.items())


def settle(connection: Connection[Any], binding: Binding, *, prepares: bool) -> Cursor[Any]:
    """Makes the settings until the transaction ends, and tells whose session it is in. It is the same statement for
    every anchor."""
    text, values = _settling(*binding.settings), list(binding.settings.values())
    return RawCursor(connection).execute(text, values, prepare=prepares, binary=True)


@lru_cache(maxsize=64)
def _settling(*names: str) -> bytes:
    made = (
        SQL("set_config({}, {}, true)").format(Literal(name), SQL(f"${place}")) for place, name in enumerate(names, 1)
    )
    return b"SELECT pg_backend_pid()::text, " + SQL(", ").join(made).as_bytes(None)


@lru_cache(maxsize=4_096)
def _binding(*settings: tuple[str, str]) -> bytes:
    """The text that makes these settings. An anchor is bound again and again, and its text is always the same."""
    made = (SQL("set_config({}, {}, true)").format(Literal(name), Literal(value)) for name, value in settings)
    return SQL(", ").join(made).as_bytes(None)


UNBOUND: Final = Binding({})
