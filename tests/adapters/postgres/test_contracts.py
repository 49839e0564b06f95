"""The contract suite, as the role that an application connects as: row security binds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from lamina.adapters.postgres.store import open_store
from lamina.domain.retrieval import EmbeddingChoice
from lamina.ports.store import Store
from lamina.testing.contracts import (
    ActionLinksContract,
    CandidatesContract,
    CanonicalRulesContract,
    ContradictionsContract,
    CorroborationsContract,
    DecisionsContract,
    RecordsContract,
    ReembeddingContract,
    RuleReferencesContract,
    ScopeCleanUpContract,
    StoreContract,
)
from lamina.testing.contracts.reembedding import Reopen
from lamina.testing.samples import EMBEDDING, SPEC

if TYPE_CHECKING:
    from tests.conftest import Database


class TestPostgres(
    StoreContract,
    RecordsContract,
    CandidatesContract,
    CanonicalRulesContract,
    CorroborationsContract,
    RuleReferencesContract,
    DecisionsContract,
    ContradictionsContract,
    ActionLinksContract,
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
