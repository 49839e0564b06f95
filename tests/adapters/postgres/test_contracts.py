"""The contract suite, as the role that an application connects as: row security binds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from lamina.adapters.postgres.store import open_store
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.retrieval import EmbeddingChoice
from lamina.ports.store import Store
from lamina.testing.contracts import (
    ActionLinksContract,
    CandidatesContract,
    CanonicalRulesContract,
    ContradictionsContract,
    CorroborationsContract,
    DecisionsContract,
    EventLogContract,
    GlancesContract,
    InjectionsContract,
    LongTermContract,
    PersonaStoreContract,
    RecordsContract,
    ReembeddingContract,
    ReviewsContract,
    RuleReferencesContract,
    ScopeCleanUpContract,
    ShortTermContract,
    StoreContract,
)
from lamina.testing.contracts.event_log import Reopen as ReopenEvents
from lamina.testing.contracts.reembedding import Reopen
from lamina.testing.samples import EMBEDDING, SPEC

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template


class TestPostgres(
    StoreContract,
    RecordsContract,
    CandidatesContract,
    GlancesContract,
    CanonicalRulesContract,
    CorroborationsContract,
    RuleReferencesContract,
    DecisionsContract,
    ContradictionsContract,
    ActionLinksContract,
    InjectionsContract,
    ReviewsContract,
    ScopeCleanUpContract,
):
    @pytest.fixture
    def store(self, database: Database) -> Iterator[Store]:
        store = open_store(database.as_application, SPEC, EMBEDDING)
        yield store
        store.close()


class TestPostgresReembedding(ReembeddingContract):
    """As the schema's owner, as `migrate` is."""

    @pytest.fixture
    def store(self, database: Database) -> Iterator[Store]:
        store = open_store(database.as_owner, SPEC, EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def reopen(self, database: Database) -> Iterator[Reopen]:
        opened: list[Store] = []

        def reopen(embedding: EmbeddingChoice) -> Store:
            opened.append(open_store(database.as_owner, SPEC, embedding))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()


class TestPostgresEvents(EventLogContract, LongTermContract, ShortTermContract, PersonaStoreContract):
    @pytest.fixture
    def store(self, database: Database) -> Iterator[Store]:
        store = open_store(database.as_application, SPEC, EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def events(self, postgres_server: Server, template: Template) -> Iterator[Database]:
        """An empty store's database for the spec with event memory."""
        database = postgres_server.database(template(CHAOS_AGENT, EMBEDDING).name)
        yield database
        database.drop()

    @pytest.fixture
    def event_store(self, events: Database) -> Iterator[Store]:
        store = open_store(events.as_application, CHAOS_AGENT, EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def reopen_events(self, events: Database) -> Iterator[ReopenEvents]:
        opened: list[Store] = []

        def reopen() -> Store:
            opened.append(open_store(events.as_application, CHAOS_AGENT, EMBEDDING))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()
