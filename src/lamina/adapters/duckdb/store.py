"""The store: one file, one connection, one unit of work at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import duckdb

from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.errors import opening, translated
from lamina.adapters.duckdb.held_records import HeldRecords
from lamina.adapters.duckdb.migrate import migrate
from lamina.adapters.duckdb.models import claim_model, stored_model
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.reembedding import DuckDBReembedding
from lamina.adapters.duckdb.rule_postings import RulePostings
from lamina.adapters.duckdb.shelf import Shelf
from lamina.adapters.duckdb.snapshot import OFFLINE, Setting, copy_database, copy_files
from lamina.adapters.duckdb.statements import Statements
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.unit import DuckDBUnit
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.errors import StoreClosed, StoreError
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec

MEMORY = ":memory:"
SELDOM: Final[dict[str, Setting]] = {"checkpoint_threshold": "64MB"}
"""A checkpoint writes everything a second time: one for each 16 MB, as is usual, takes as long as a large write itself.
A log of this size is read again within half a second when a file is opened after a crash."""


def open_store(path: str, spec: AgentMemorySpec, embedding: EmbeddingChoice) -> DuckDBStore:
    """Opens or makes the file, and brings its schema to this version."""
    names = Names.of(spec)
    with opening(path):
        if path != MEMORY:
            Path(path).expanduser().parent.mkdir(parents=True, exist_ok=True)
        connection = duckdb.connect(path if path == MEMORY else str(Path(path).expanduser()), config=OFFLINE | SELDOM)
    try:
        with opening(path):
            migrate(connection, names)
        claim_model(Statements(connection), names, embedding)
    except BaseException:
        connection.close()
        raise
    store = DuckDBStore(connection, names, embedding)
    if path != MEMORY:
        _OPEN[Path(path).expanduser().resolve()] = store
    return store


_OPEN: Final[WeakValueDictionary[Path, DuckDBStore]] = WeakValueDictionary()
"""The files that this process has open."""


def snapshot(path: str, target: str) -> None:
    """Copies a database file to a new one, while this process or another works on it."""
    store = _OPEN.get(Path(path).expanduser().resolve())
    if store is not None and store.is_open:
        store.snapshot(target)
    else:
        copy_files(path, target)


def model_of(path: str, spec: AgentMemorySpec) -> EmbeddingChoice | None:
    """The model whose vectors are there, whatever model a caller has; None for a file of another agent."""
    names = Names.of(spec)
    with opening(path):
        # Read-only, so that asking makes no file.
        connection = duckdb.connect(str(Path(path).expanduser()), read_only=True, config=OFFLINE)
    try:
        return stored_model(Statements(connection), names)
    finally:
        connection.close()


class DuckDBStore:
    """Units of work on one file. They run one after another, so what numpy holds is always what the file says."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, names: Names, embedding: EmbeddingChoice) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = connection
        self._names = names
        self._embedding = embedding
        self._turn = threading.Lock()
        self._shelves: ByAnchor[Shelf] = ByAnchor()
        self._rule_postings: ByAnchor[RulePostings] = ByAnchor()
        self._held: ByAnchor[HeldRecords] = ByAnchor()

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[DuckDBUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._begun(anchor) as statements:
            yield DuckDBUnit(self._transaction(statements, anchor))

    @contextmanager
    def reading(self, anchor: Anchor) -> Iterator[DuckDBUnit]:
        """A unit that only reads: DuckDB itself refuses to write in it."""
        with self._begun(anchor, "BEGIN TRANSACTION READ ONLY") as statements:
            yield DuckDBUnit(self._transaction(statements, anchor))

    def anchors(self, pattern: AnchorPattern) -> list[Anchor]:
        """The anchors that fit and have memory, in the order of their parts."""
        given = {name: value for name, value in pattern.parts if value is not None}
        fitting = " AND ".join(["true", *(f"{name} = ?" for name in given)])
        with self._begun() as statements:
            rows = statements.rows(
                f"SELECT DISTINCT {', '.join(self._names.anchor_keys)} FROM {self._names.table('memory')}"
                f" WHERE {fitting}",
                list(given.values()),
            )
        return sorted((Anchor(tuple(row.items())) for row in rows), key=lambda anchor: anchor.parts)

    def every_anchor(self, after: AnchorId | None, limit: int) -> list[Anchor]:
        """The anchors that have memory, in the order of their ids."""
        with self._begun() as statements:
            rows = statements.rows(
                f"SELECT DISTINCT anchor_id, {', '.join(self._names.anchor_keys)} FROM {self._names.table('memory')}"
                " WHERE ?::UUID IS NULL OR anchor_id > ? ORDER BY anchor_id LIMIT ?",
                [after, after, limit],
            )
        return [Anchor(tuple((key, row[key]) for key in self._names.anchor_keys)) for row in rows]

    def maintain(self, batch: int) -> int:  # noqa: ARG002 (the port's)
        """Nothing is indexed apart from the rows: there is never anything left to move."""
        return 0

    @property
    def reembedding(self) -> DuckDBReembedding:
        """Another model in the place of this one."""
        return DuckDBReembedding(self._names, self._embedding, self._begun, self._shelves.clear)

    def snapshot(self, target: str) -> None:
        """Writes a copy of everything that is committed to a new file: the way to one in the process that writes."""
        with self._turn, self._cursor() as cursor:
            copy_database(cursor, target)

    @property
    def is_open(self) -> bool:
        """Whether it still holds its file."""
        return self._connection is not None

    def close(self) -> None:
        """Lets go of the file. Closing twice is closing once."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _begun(self, anchor: Anchor | None = None, begin: str = "BEGIN") -> Iterator[Statements]:
        with self._turn, self._cursor() as cursor:
            statements = Statements(cursor, begin)
            try:
                yield statements
                _commit(cursor, statements)
            except BaseException:
                if anchor and statements.wrote:
                    self._forget(anchor)
                if statements.begun:
                    _roll_back(cursor)
                raise

    def _transaction(self, statements: Statements, anchor: Anchor) -> Transaction:
        return Transaction(
            statements, self._names, anchor, self._embedding, self._shelves, self._rule_postings, self._held
        )

    def _forget(self, anchor: Anchor) -> None:
        """Lets go of what is held of an anchor: it may say what was undone."""
        self._shelves.forget(anchor.id)
        self._rule_postings.forget(anchor.id)
        self._held.forget(anchor.id)

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if self._connection is None:
            raise StoreClosed("store", "is closed", "open it again")
        with translated():
            cursor = self._connection.cursor()
        try:
            yield cursor
        finally:
            cursor.close()


def _commit(cursor: duckdb.DuckDBPyConnection, statements: Statements) -> None:
    if statements.failed:
        # DuckDB would answer the commit with a rollback, and not call it an error.
        raise StoreError("unit", "failed before it ended: nothing was written", "let its errors out of it")
    if statements.begun:
        with translated():
            cursor.execute("COMMIT")


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    try:
        cursor.execute("ROLLBACK")
    except duckdb.Error:
        # A commit that failed, or a file that cannot be written to any more, has undone everything by itself.
        return


if TYPE_CHECKING:
    from lamina.ports.store import Store

    _: type[Store] = DuckDBStore
