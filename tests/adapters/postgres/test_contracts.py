"""The contract suite, as the role that an application connects as: row security binds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from lamina.adapters.postgres.store import open_store
from lamina.ports.store import Store
from lamina.testing.contracts import (
    CandidatesContract,
    CanonicalRulesContract,
    CorroborationsContract,
    DecisionsContract,
    RecordsContract,
    RuleReferencesContract,
    StoreContract,
)
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
):
    @pytest.fixture
    def store(self, database: Database) -> Iterator[Store]:
        store = open_store(database.as_application, SPEC, EMBEDDING)
        yield store
        store.close()
