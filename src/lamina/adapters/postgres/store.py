"""The store: units of work on one server, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.action_links import ActionLinkStatements, PostgresActionLinks
from lamina.adapters.postgres.anchors import DREAMING, AnchorStatements
from lamina.adapters.postgres.candidates import CandidateStatements, PostgresCandidates
from lamina.adapters.postgres.canonical_rules import CanonicalStatements, PostgresRules
from lamina.adapters.postgres.connecting import connected
from lamina.adapters.postgres.contradictions import ContradictionStatements, PostgresContradictions
from lamina.adapters.postgres.corroborations import CorroborationStatements, PostgresCorroborations
from lamina.adapters.postgres.decisions import DecisionStatements, PostgresDecisions
from lamina.adapters.postgres.errors import translated
from lamina.adapters.postgres.glances import PostgresGlances
from lamina.adapters.postgres.injections import InjectionStatements, PostgresInjections
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.opening import (
    Server,
    check_containment,
    check_model,
    check_revision,
    check_shape,
    find_extensions,
    read_model,
    warn_of_characters,
)
from lamina.adapters.postgres.persona_store import PersonaStatements, PostgresPersonaStore
from lamina.adapters.postgres.pool import AnyPool, Borrowing, own_pool
from lamina.adapters.postgres.records import PostgresRecords, RecordStatements
from lamina.adapters.postgres.reembedding import PostgresReembedding
from lamina.adapters.postgres.reviews import PostgresReviews, ReviewStatements
from lamina.adapters.postgres.rule_references import PostgresRuleReferences, RuleReferenceStatements
from lamina.adapters.postgres.scope_cleanup import CleanUpStatements, PostgresScopeCleanUp
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import UNBOUND, Binding, Transaction
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.persona_store import not_kept


def open_store(
    url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, *, pool: AnyPool | None = None
) -> PostgresStore:
    """Opens a store that was migrated for this spec and this model. A pool that is given stays the caller's."""
    names = Names.of(spec)
    with connected(url, pool) as connection:
        server = _checked(connection, names, embedding)
    if pool is not None:
        return PostgresStore(Borrowing(pool, own_url=None), names, embedding, server)
    own = own_pool(url)
    own.open()
    return PostgresStore(Borrowing(own, own_url=url), names, embedding, server)


def model_of(url: str, spec: AgentMemorySpec) -> EmbeddingChoice | None:
    """The model whose vectors are there, whatever model a caller has."""
    names = Names.of(spec)
    with connected(url) as connection:
        check_revision(connection, names)
        return read_model(connection, names)


def _checked(connection: Connection[Any], names: Names, embedding: EmbeddingChoice) -> Server:
    check_revision(connection, names)
    check_shape(connection, names)
    check_containment(connection, names)
    server = find_extensions(connection)
    check_model(connection, names, embedding)
    if names.canonical:
        warn_of_characters(connection)
    return server


def open_persona(
    url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, anchor: Anchor, persona: Persona
) -> PostgresPersonaStore:
    """Opens what one persona of one anchor remembers, and nothing else: the role needs rights on nothing else."""
    names = Names.of(spec)
    if not names.event_memory:
        raise not_kept()
    with connected(url) as connection:
        server = _checked(connection, names, embedding)
    own = own_pool(url)
    own.open()
    statements = PersonaStatements.of(Tables(names, server.extensions.vector), persona)
    borrowing = Borrowing(own, url)
    return PostgresPersonaStore(borrowing, statements, anchor, embedding, server.vector_oid, owned=True)


def personas_of(names: Names, server: Server) -> dict[Persona, PersonaStatements] | None:
    """The statements of each persona apart; none if the spec has no event memory."""
    if not names.event_memory:
        return None
    tables = Tables(names, server.extensions.vector)
    return {persona: PersonaStatements.of(tables, persona) for persona in Persona}


@dataclass(frozen=True, slots=True)
class Statements:
    """Every statement of one spec, built once."""

    records: RecordStatements
    rule_references: RuleReferenceStatements | None
    corroborations: CorroborationStatements | None
    contradictions: ContradictionStatements | None
    action_links: ActionLinkStatements
    decisions: DecisionStatements
    candidates: CandidateStatements
    rules: CanonicalStatements | None
    scope_cleanup: CleanUpStatements
    reviews: ReviewStatements
    injections: InjectionStatements
    anchors: AnchorStatements

    @classmethod
    def of(cls, names: Names, embedding: EmbeddingChoice, server: Server) -> Statements:
        """The statements for these names and this model, on that server."""
        tables = Tables(names, server.extensions.vector)
        return cls(
            records=RecordStatements.of(tables),
            rule_references=RuleReferenceStatements.of(tables),
            corroborations=CorroborationStatements.of(tables),
            contradictions=ContradictionStatements.of(tables),
            action_links=ActionLinkStatements.of(tables),
            decisions=DecisionStatements.of(tables),
            candidates=CandidateStatements(tables, embedding),
            rules=CanonicalStatements.of(tables, server.extensions),
            scope_cleanup=CleanUpStatements.of(tables),
            reviews=ReviewStatements.of(tables),
            injections=InjectionStatements.of(tables),
            anchors=AnchorStatements.of(tables),
        )


class PostgresUnit:
    """One transaction on one anchor."""

    def __init__(
        self, transaction: Transaction, statements: Statements, embedding: EmbeddingChoice, body_bound: int
    ) -> None:
        self.records = PostgresRecords(transaction, statements.records, embedding, body_bound)
        self.rule_references = PostgresRuleReferences(transaction, statements.rule_references)
        self.corroborations = PostgresCorroborations(transaction, statements.corroborations)
        self.contradictions = PostgresContradictions(transaction, statements.contradictions)
        self.action_links = PostgresActionLinks(transaction, statements.action_links)
        self.decisions = PostgresDecisions(transaction, statements.decisions)
        self.candidates = PostgresCandidates(transaction, statements.candidates, embedding)
        self.rules = PostgresRules(transaction, statements.rules)
        self.scope_cleanup = PostgresScopeCleanUp(transaction, statements.scope_cleanup)
        self.reviews = PostgresReviews(
            transaction, statements.reviews, self.corroborations, self.rule_references, self.scope_cleanup
        )
        self.injections = PostgresInjections(transaction, statements.injections)


class PostgresStore:
    """Gives units of work. The object is shared by threads; a unit is not."""

    def __init__(self, borrowing: Borrowing, names: Names, embedding: EmbeddingChoice, server: Server) -> None:
        self._borrowing = borrowing
        self._names = names
        self._embedding = embedding
        self._server = server
        self._statements = Statements.of(names, embedding, server)
        self._personas = personas_of(names, server)
        tables = Tables(names, server.extensions.vector)
        get = self._statements.records.get
        self.glances = PostgresGlances(borrowing, tables, embedding, server.vector_oid, get)
        self.reembedding = PostgresReembedding(borrowing, names, embedding, server)

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[PostgresUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        with self._bound(anchor, Binding.to_anchor(anchor)) as unit:
            yield unit

    @contextmanager
    def reading(self, anchor: Anchor) -> Iterator[PostgresUnit]:
        """A unit that only reads: whatever would write in it raises `ReadOnly`."""
        with self._bound(anchor, Binding.to_anchor(anchor, read_only=True)) as unit:
            yield unit

    @contextmanager
    def _bound(self, anchor: Anchor, binding: Binding) -> Iterator[PostgresUnit]:
        with self._borrowing.begun(binding) as connection:
            prepares = self._borrowing.is_direct(connection)
            transaction = Transaction(connection, anchor, self._server.vector_oid, prepares=prepares)
            yield PostgresUnit(transaction, self._statements, self._embedding, self._names.body_bound)

    def anchors(self, pattern: AnchorPattern) -> list[Anchor]:
        """The anchors that fit and have memory, in the order of their parts."""
        with self._borrowing.begun(Binding.across(pattern)) as connection:
            return self._statements.anchors.find(connection, pattern)

    def every_anchor(self, after: AnchorId | None, limit: int) -> list[Anchor]:
        """The anchors that have memory, in the order of their ids."""
        with self._borrowing.begun(UNBOUND) as connection:
            return self._statements.anchors.after(connection, after, limit)

    def persona(self, anchor: Anchor, persona: Persona) -> PostgresPersonaStore:
        """What one persona of one anchor remembers. It shares the pool, and knows that persona's tables only."""
        if self._personas is None:
            raise not_kept()
        return PostgresPersonaStore(
            self._borrowing, self._personas[persona], anchor, self._embedding, self._server.vector_oid
        )

    def agents(self) -> list[Anchor]:
        """Every anchor that has events: for maintenance, which works on each in turn."""
        if self._personas is None:
            return []
        function = Identifier(self._names.schema, self._names.own("all_agents"))
        with self._borrowing.begun(UNBOUND) as connection, translated(lambda: DREAMING):
            cursor = connection.cursor(row_factory=dict_row)
            rows = cursor.execute(SQL("SELECT * FROM {}()").format(function)).fetchall()
        keys = self._names.anchor_keys
        found = {Anchor(tuple((key, row[key]) for key in keys)) for row in rows}
        return sorted(found, key=lambda anchor: anchor.parts)

    def maintain(self, batch: int) -> int:
        """Moves up to `batch` fresh vectors, and as many documents, into their indexes, of whatever anchor."""
        moves = [Identifier(self._names.schema, self._names.own(name)) for name in ("mark_indexed", "spread_documents")]
        moving = SQL(" + ").join(SQL("{}({})").format(move, batch) for move in moves)
        with self._borrowing.begun(UNBOUND) as connection, translated():
            row = connection.execute(SQL("SELECT {}").format(moving)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Closes the pool if the store opened it. Closing twice is closing once."""
        self._borrowing.close()


if TYPE_CHECKING:
    from lamina.ports.store import Store
    from lamina.ports.unit_of_work import UnitOfWork

    _store: type[Store] = PostgresStore
    _unit: type[UnitOfWork] = PostgresUnit
