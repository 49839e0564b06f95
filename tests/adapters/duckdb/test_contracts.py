"""The contract suite on DuckDB, in memory and on file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lamina.adapters.duckdb.store import MEMORY, open_store
from lamina.ports.store import Store
from lamina.testing import contracts
from lamina.testing.samples import EMBEDDING, SPEC


class Contracts(
    contracts.StoreContract,
    contracts.RecordsContract,
    contracts.CorroborationsContract,
    contracts.RuleReferencesContract,
    contracts.DecisionsContract,
    contracts.CandidatesContract,
    contracts.CanonicalRulesContract,
):
    """All of them."""


class TestInMemory(Contracts):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = open_store(MEMORY, SPEC, EMBEDDING)
        yield store
        store.close()


class TestOnFile(Contracts):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING)
        yield store
        store.close()
