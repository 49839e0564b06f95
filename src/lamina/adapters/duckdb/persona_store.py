"""One persona of one agent in DuckDB: every statement that it sends names that persona's tables, and no other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.entry_shelf import EntryShelf
from lamina.adapters.duckdb.event_log import DuckDBEventLog
from lamina.adapters.duckdb.file import READING, DuckDBFile
from lamina.adapters.duckdb.long_term import DuckDBLongTerm
from lamina.adapters.duckdb.persona_transaction import PersonaTables, PersonaTransaction
from lamina.adapters.duckdb.short_term import DuckDBShortTerm
from lamina.adapters.duckdb.statements import Statements
from lamina.domain.anchor import Anchor
from lamina.domain.events import collection_of
from lamina.domain.retrieval import EmbeddingChoice


class DuckDBPersonaUnit:
    """One transaction on what one persona remembers."""

    def __init__(self, transaction: PersonaTransaction, shelves: ByAnchor[EntryShelf]) -> None:
        self.log = DuckDBEventLog(transaction)
        self.long_term = DuckDBLongTerm(transaction, shelves)
        self.short_term = DuckDBShortTerm(transaction)


class DuckDBPersonaStore:
    """Gives units of work on one persona of one agent."""

    def __init__(  # noqa: PLR0913 (what one persona's units are made of)
        self,
        file: DuckDBFile,
        tables: PersonaTables,
        anchor: Anchor,
        embedding: EmbeddingChoice,
        shelves: ByAnchor[EntryShelf],
        *,
        owned: bool = False,
    ) -> None:
        self._file = file
        self._tables = tables
        self._anchor = anchor
        self._collection = collection_of(anchor, tables.persona)
        self._embedding = embedding
        self._shelves = shelves
        self._owned = owned

    @contextmanager
    def unit(self) -> Iterator[DuckDBPersonaUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._file.begun(lambda: self._shelves.forget(self._anchor.id)) as statements:
            yield self._unit(statements)

    @contextmanager
    def reading(self) -> Iterator[DuckDBPersonaUnit]:
        """A unit that only reads: DuckDB itself refuses to write in it."""
        with self._file.begun(begin=READING) as statements:
            yield self._unit(statements)

    def close(self) -> None:
        """Lets go of the file if it was opened for this persona."""
        if self._owned:
            self._file.close()

    def _unit(self, statements: Statements) -> DuckDBPersonaUnit:
        bound = PersonaTransaction(statements, self._tables, self._anchor, self._collection, self._embedding)
        return DuckDBPersonaUnit(bound, self._shelves)


if TYPE_CHECKING:
    from lamina.ports.persona_store import PersonaStore, PersonaUnit

    _store: type[PersonaStore] = DuckDBPersonaStore
    _unit: type[PersonaUnit] = DuckDBPersonaUnit
