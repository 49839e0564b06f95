"""One persona of one agent in Postgres: every statement that it has names that persona's tables, and no other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamina.adapters.postgres.event_log import LogStatements, PostgresEventLog
from lamina.adapters.postgres.long_term import PostgresLongTerm
from lamina.adapters.postgres.long_term_statements import LongTermStatements
from lamina.adapters.postgres.pool import Borrowing
from lamina.adapters.postgres.short_term import PostgresShortTerm, ShortTermStatements
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Binding, Transaction
from lamina.domain.anchor import Anchor
from lamina.domain.events import Persona, collection_of
from lamina.domain.retrieval import EmbeddingChoice


@dataclass(frozen=True, slots=True)
class PersonaStatements:
    """All that is asked of one persona's tables."""

    persona: Persona
    log: LogStatements
    long_term: LongTermStatements
    short_term: ShortTermStatements

    @classmethod
    def of(cls, tables: Tables, persona: Persona) -> PersonaStatements:
        """The statements of one spec and one persona."""
        log = LogStatements.of(tables, persona)
        long_term = LongTermStatements.of(tables, persona, log)
        return cls(persona, log, long_term, ShortTermStatements.of(tables, persona, log))


class PostgresPersonaUnit:
    """One transaction on what one persona remembers."""

    def __init__(
        self, transaction: Transaction, statements: PersonaStatements, collection: str, embedding: EmbeddingChoice
    ) -> None:
        persona = statements.persona
        self.log = PostgresEventLog(transaction, statements.log, persona)
        self.long_term = PostgresLongTerm(transaction, statements.long_term, persona, collection, embedding)
        self.short_term = PostgresShortTerm(transaction, statements.short_term)


class PostgresPersonaStore:
    """Gives units of work on one persona of one agent. The object is shared by threads; a unit is not."""

    def __init__(  # noqa: PLR0913 (what one persona's units are made of)
        self,
        borrowing: Borrowing,
        statements: PersonaStatements,
        anchor: Anchor,
        embedding: EmbeddingChoice,
        vector_oid: int,
        *,
        owned: bool = False,
    ) -> None:
        self._borrowing = borrowing
        self._statements = statements
        self._anchor = anchor
        self._collection = collection_of(anchor, statements.persona)
        self._embedding = embedding
        self._vector_oid = vector_oid
        self._owned = owned

    @contextmanager
    def unit(self) -> Iterator[PostgresPersonaUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._bound(Binding.to_persona(self._anchor, self._statements.persona)) as unit:
            yield unit

    @contextmanager
    def reading(self) -> Iterator[PostgresPersonaUnit]:
        """A unit that only reads: whatever would write in it raises `ReadOnly`."""
        with self._bound(Binding.to_persona(self._anchor, self._statements.persona, read_only=True)) as unit:
            yield unit

    def close(self) -> None:
        """Closes the pool if it was opened for this persona."""
        if self._owned:
            self._borrowing.close()

    @contextmanager
    def _bound(self, binding: Binding) -> Iterator[PostgresPersonaUnit]:
        with self._borrowing.begun(binding) as connection:
            prepares = self._borrowing.is_direct(connection)
            transaction = Transaction(connection, self._anchor, self._vector_oid, prepares=prepares)
            yield PostgresPersonaUnit(transaction, self._statements, self._collection, self._embedding)


if TYPE_CHECKING:
    from lamina.ports.persona_store import PersonaStore, PersonaUnit

    _store: type[PersonaStore] = PostgresPersonaStore
    _unit: type[PersonaUnit] = PostgresPersonaUnit
