"""The store: one file, one connection, one unit of work at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from lamina.adapters.duckdb.candidates import DuckDBCandidates
from lamina.adapters.duckdb.errors import opening, translated
from lamina.adapters.duckdb.migrate import claim_model, migrate
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.provenance import DuckDBCorroborations, DuckDBDecisions, DuckDBRuleReferences
from lamina.adapters.duckdb.records import DuckDBRecords
from lamina.adapters.duckdb.rules import DuckDBRules
from lamina.adapters.duckdb.statements import Statements
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.trigram_postings import PostingsByAnchor
from lamina.adapters.duckdb.vectors import Collections
from lamina.domain.anchor import Anchor
from lamina.domain.errors import StoreClosed
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec

MEMORY = ":memory:"
OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""Nothing is fetched from anywhere: DuckDB would download an extension where a statement seems to need one."""


def open_store(path: str, spec: AgentMemorySpec, embedding: EmbeddingChoice) -> DuckDBStore:
    """Opens or makes the file, and brings its schema to this version."""
    names = Names.of(spec)
    with opening(path):
        if path != MEMORY:
            Path(path).expanduser().parent.mkdir(parents=True, exist_ok=True)
        connection = duckdb.connect(path if path == MEMORY else str(Path(path).expanduser()), config=OFFLINE)
    try:
        with opening(path):
            migrate(connection, names)
            claim_model(connection, names, embedding)
    except BaseException:
        connection.close()
        raise
    return DuckDBStore(connection, names, embedding)


class DuckDBUnit:
    """One transaction on one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self.rules = DuckDBRules(transaction)
        self.records = DuckDBRecords(transaction, self.rules)
        self.rule_references = DuckDBRuleReferences(transaction)
        self.corroborations = DuckDBCorroborations(transaction)
        self.decisions = DuckDBDecisions(transaction)
        self.candidates = DuckDBCandidates(transaction)


class DuckDBStore:
    """Units of work on one file. They run one after another, so what numpy holds is always what the file says."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, names: Names, embedding: EmbeddingChoice) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = connection
        self._names = names
        self._embedding = embedding
        self._turn = threading.Lock()
        self._collections = Collections(embedding.dimension)
        self._postings: PostingsByAnchor = {}

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[DuckDBUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._turn, self._cursor() as cursor:
            statements = Statements(cursor)
            held = (self._embedding, self._collections, self._postings)
            transaction = Transaction(statements, self._names, anchor, *held)
            statements.run("BEGIN")
            try:
                yield DuckDBUnit(transaction)
                statements.run("COMMIT")
            except BaseException:
                transaction.forget()
                _roll_back(cursor)
                raise

    def close(self) -> None:
        """Lets go of the file. Closing twice is closing once."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

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


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    try:
        cursor.execute("ROLLBACK")
    except duckdb.TransactionException:
        # A failed commit has undone everything by itself.
        return


if TYPE_CHECKING:
    from lamina.ports.store import Store
    from lamina.ports.unit_of_work import UnitOfWork

    _store: type[Store] = DuckDBStore
    _unit: type[UnitOfWork] = DuckDBUnit
