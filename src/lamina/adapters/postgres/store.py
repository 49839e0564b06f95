"""The store: units of work on one server, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.candidates import CandidateStatements, PostgresCandidates
from lamina.adapters.postgres.canonical_rules import CanonicalStatements, PostgresRules
from lamina.adapters.postgres.connecting import connected
from lamina.adapters.postgres.corroborations import CorroborationStatements, PostgresCorroborations
from lamina.adapters.postgres.decisions import DecisionStatements, PostgresDecisions
from lamina.adapters.postgres.errors import translated
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.opening import Server, check_model, check_revision, find_extensions, warn_of_characters
from lamina.adapters.postgres.pool import AnyPool, Borrowing, own_pool
from lamina.adapters.postgres.records import PostgresRecords, RecordStatements
from lamina.adapters.postgres.rule_references import PostgresRuleReferences, RuleReferenceStatements
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.anchor import Anchor
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec


def open_store(
    url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, *, pool: AnyPool | None = None
) -> PostgresStore:
    """Opens a store that was migrated for this spec and this model. A pool that is given stays the caller's."""
    names = Names.of(spec)
    with connected(url, pool) as connection:
        server = _checked(connection, names, embedding)
    if pool is not None:
        return PostgresStore(Borrowing(pool, owned=False), names, embedding, server)
    own = own_pool(url)
    own.open()
    return PostgresStore(Borrowing(own, owned=True), names, embedding, server)


def _checked(connection: Connection[Any], names: Names, embedding: EmbeddingChoice) -> Server:
    check_revision(connection, names)
    server = find_extensions(connection)
    check_model(connection, names, embedding)
    if names.canonical:
        warn_of_characters(connection)
    return server


@dataclass(frozen=True, slots=True)
class Statements:
    """Every statement of one spec, built once."""

    records: RecordStatements
    rule_references: RuleReferenceStatements | None
    corroborations: CorroborationStatements | None
    decisions: DecisionStatements
    candidates: CandidateStatements
    rules: CanonicalStatements | None

    @classmethod
    def of(cls, names: Names, embedding: EmbeddingChoice, server: Server) -> Statements:
        """The statements for these names and this model, on that server."""
        tables = Tables(names, server.extensions.vector)
        return cls(
            records=RecordStatements.of(tables),
            rule_references=RuleReferenceStatements.of(tables),
            corroborations=CorroborationStatements.of(tables),
            decisions=DecisionStatements.of(tables),
            candidates=CandidateStatements(tables, embedding),
            rules=CanonicalStatements.of(tables, server.extensions),
        )


class PostgresUnit:
    """One transaction on one anchor."""

    def __init__(
        self, transaction: Transaction, statements: Statements, embedding: EmbeddingChoice, body_bound: int
    ) -> None:
        self.records = PostgresRecords(transaction, statements.records, embedding, body_bound)
        self.rule_references = PostgresRuleReferences(transaction, statements.rule_references)
        self.corroborations = PostgresCorroborations(transaction, statements.corroborations)
        self.decisions = PostgresDecisions(transaction, statements.decisions)
        self.candidates = PostgresCandidates(transaction, statements.candidates, embedding)
        self.rules = PostgresRules(transaction, statements.rules)


class PostgresStore:
    """Gives units of work. The object is shared by threads; a unit is not."""

    def __init__(self, borrowing: Borrowing, names: Names, embedding: EmbeddingChoice, server: Server) -> None:
        self._borrowing = borrowing
        self._names = names
        self._embedding = embedding
        self._server = server
        self._statements = Statements.of(names, embedding, server)

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[PostgresUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._borrowing.begun(anchor) as connection:
            transaction = Transaction(connection, anchor, self._server.vector_oid)
            yield PostgresUnit(transaction, self._statements, self._embedding, self._names.body_bound)

    def mark_indexed(self, batch: int) -> int:
        """Moves up to that many fresh vectors into the HNSW indexes, of whatever anchor; says how many it moved."""
        marking = SQL("SELECT {}({})").format(Identifier(self._names.schema, self._names.own("mark_indexed")), batch)
        with self._borrowing.begun(None) as connection, translated():
            row = connection.execute(marking).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Closes the pool if the store opened it. Closing twice is closing once."""
        self._borrowing.close()


if TYPE_CHECKING:
    from lamina.ports.store import Store
    from lamina.ports.unit_of_work import UnitOfWork

    _store: type[Store] = PostgresStore
    _unit: type[UnitOfWork] = PostgresUnit
