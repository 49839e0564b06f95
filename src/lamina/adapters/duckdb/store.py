"""The store: one file, one connection, one unit of work at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.errors import opening
from lamina.adapters.duckdb.file import READING, DuckDBFile
from lamina.adapters.duckdb.migrate import migrate
from lamina.adapters.duckdb.models import claim_model, stored_model
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.open_file import OPENING, unopened
from lamina.adapters.duckdb.persona_store import DuckDBPersonaStore
from lamina.adapters.duckdb.persona_transaction import PersonaTables
from lamina.adapters.duckdb.reembedding import DuckDBReembedding
from lamina.adapters.duckdb.snapshot import copy_files
from lamina.adapters.duckdb.statements import Statements
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.unit import DuckDBUnit
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.persona_store import not_kept


def open_store(path: str, spec: AgentMemorySpec, embedding: EmbeddingChoice) -> DuckDBStore:
    """Opens or makes the file, and brings its schema to this version."""
    names = Names.of(spec)
    return DuckDBStore(_opened(path, names, embedding), names, embedding)


def open_persona(
    path: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, anchor: Anchor, persona: Persona
) -> DuckDBPersonaStore:
    """Opens what one persona of one anchor remembers. A file that this process has open is worked on in turn."""
    names = Names.of(spec)
    if not names.event_memory:
        raise not_kept()
    file = _opened(path, names, embedding)
    shelves = file.held.part(names, embedding).entries[persona]
    return DuckDBPersonaStore(file, PersonaTables.of(names, persona), anchor, embedding, shelves, owned=True)


def _opened(path: str, names: Names, embedding: EmbeddingChoice) -> DuckDBFile:
    file = DuckDBFile.at(path)
    try:
        with file.turn() as connection:
            with opening(path):
                migrate(connection, names)
            claim_model(Statements(connection), names, embedding)
    except BaseException:
        file.close()
        raise
    return file


def snapshot(path: str, target: str) -> None:
    """Copies a database file to a new one, while this process or another works on it."""
    with OPENING:
        file = DuckDBFile.there(path)
        if file is None:
            copy_files(path, target)
            return
    with closing(file):
        file.snapshot(target)


def model_of(path: str, spec: AgentMemorySpec) -> EmbeddingChoice | None:
    """The model whose vectors are there, whatever model a caller has; None for a file of another agent."""
    names = Names.of(spec)
    with OPENING:
        file = DuckDBFile.there(path)
        if file is None:
            with opening(path), unopened(path) as connection:
                return stored_model(Statements(connection), names)
    with closing(file), file.begun(begin=READING) as statements:
        return stored_model(statements, names)


class DuckDBStore:
    """Units of work on one file. They run one after another, so what numpy holds is always what the file says."""

    def __init__(self, file: DuckDBFile, names: Names, embedding: EmbeddingChoice) -> None:
        self._file = file
        self._names = names
        self._embedding = embedding
        self._held = file.held.part(names, embedding)

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[DuckDBUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._file.begun(lambda: self._held.forget(anchor.id), known=self._held.known) as statements:
            yield DuckDBUnit(self._transaction(statements, anchor))
            if statements.wrote:
                for held in self._file.held.beside(self._names, self._embedding):
                    held.forget(anchor.id)

    @contextmanager
    def reading(self, anchor: Anchor) -> Iterator[DuckDBUnit]:
        """A unit that only reads: DuckDB itself refuses to write in it."""
        with self._file.begun(begin=READING, known=self._held.known) as statements:
            yield DuckDBUnit(self._transaction(statements, anchor))

    def anchors(self, pattern: AnchorPattern) -> list[Anchor]:
        """The anchors that fit and have memory, in the order of their parts."""
        given = {name: value for name, value in pattern.parts if value is not None}
        return self._anchors_in("memory", " AND ".join(["true", *(f"{name} = ?" for name in given)]), given.values())

    def persona(self, anchor: Anchor, persona: Persona) -> DuckDBPersonaStore:
        """What one persona of one anchor remembers. It shares the file, and knows that persona's tables only."""
        if not self._names.event_memory:
            raise not_kept()
        tables = PersonaTables.of(self._names, persona)
        return DuckDBPersonaStore(self._file, tables, anchor, self._embedding, self._held.entries[persona])

    def agents(self) -> list[Anchor]:
        """Every anchor that has events."""
        return self._anchors_in("agents", "true", ()) if self._names.event_memory else []

    def every_anchor(self, after: AnchorId | None, limit: int) -> list[Anchor]:
        """The anchors that have memory, in the order of their ids."""
        with self._file.begun() as statements:
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
    def glances(self) -> None:
        """There is no round trip to save."""

    @property
    def reembedding(self) -> DuckDBReembedding:
        """Another model in the place of this one."""
        return DuckDBReembedding(self._names, self._embedding, self._file.begun, self._file.held.drop_shelves)

    def snapshot(self, target: str) -> None:
        """Writes a copy of everything that is committed to a new file: the way to one in the process that writes."""
        self._file.snapshot(target)

    def close(self) -> None:
        """Lets go of the file. Closing twice is closing once."""
        self._file.close()

    def _anchors_in(self, table: str, condition: str, values: Iterable[str]) -> list[Anchor]:
        with self._file.begun() as statements:
            rows = statements.rows(
                f"SELECT DISTINCT {', '.join(self._names.anchor_keys)} FROM {self._names.table(table)}"
                f" WHERE {condition}",
                list(values),
            )
        return sorted((Anchor(tuple(row.items())) for row in rows), key=lambda anchor: anchor.parts)

    def _transaction(self, statements: Statements, anchor: Anchor) -> Transaction:
        return Transaction(statements, self._names, anchor, self._embedding, self._held)


if TYPE_CHECKING:
    from lamina.ports.store import Store

    _: type[Store] = DuckDBStore
