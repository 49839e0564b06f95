"""The contract suite on DuckDB, in memory and on file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.store import open_store
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.retrieval import EmbeddingChoice
from lamina.ports.store import Store
from lamina.testing import contracts
from lamina.testing.samples import EMBEDDING, SPEC


class Contracts(
    contracts.StoreContract,
    contracts.RecordsContract,
    contracts.CorroborationsContract,
    contracts.ContradictionsContract,
    contracts.ActionLinksContract,
    contracts.RuleReferencesContract,
    contracts.DecisionsContract,
    contracts.CandidatesContract,
    contracts.CanonicalRulesContract,
    contracts.InjectionsContract,
    contracts.ReviewsContract,
    contracts.ScopeCleanUpContract,
):
    """All that a store without a file can keep: to be opened again with another model, it needs one."""


class TestInMemory(Contracts):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = open_store(MEMORY, SPEC, EMBEDDING)
        yield store
        store.close()


class TestOnFile(Contracts, contracts.ReembeddingContract):
    @pytest.fixture
    def opened(self) -> Iterator[list[Store]]:
        opened: list[Store] = []
        yield opened
        for store in opened:
            store.close()

    @pytest.fixture
    def store(self, tmp_path: Path, opened: list[Store]) -> Store:
        opened.append(open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING))
        return opened[-1]

    @pytest.fixture
    def reopen(self, tmp_path: Path, store: Store, opened: list[Store]) -> Callable[[EmbeddingChoice], Store]:
        def again(embedding: EmbeddingChoice) -> Store:
            opened[-1].close()
            opened.append(open_store(str(tmp_path / "memory.duckdb"), SPEC, embedding))
            return opened[-1]

        return again


class TestEventsOnFile(
    contracts.EventLogContract,
    contracts.LongTermContract,
    contracts.ShortTermContract,
    contracts.PersonaStoreContract,
):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = open_store(MEMORY, SPEC, EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def opened(self) -> Iterator[list[Store]]:
        opened: list[Store] = []
        yield opened
        for store in opened:
            store.close()

    @pytest.fixture
    def event_store(self, tmp_path: Path, opened: list[Store]) -> Store:
        opened.append(open_store(str(tmp_path / "events.duckdb"), CHAOS_AGENT, EMBEDDING))
        return opened[-1]

    @pytest.fixture
    def reopen_events(self, tmp_path: Path, event_store: Store, opened: list[Store]) -> Callable[[], Store]:
        def again() -> Store:
            opened[-1].close()
            opened.append(open_store(str(tmp_path / "events.duckdb"), CHAOS_AGENT, EMBEDDING))
            return opened[-1]

        return again


class TestDerivedInMemory(contracts.LongTermContract, contracts.ShortTermContract):
    @pytest.fixture
    def event_store(self) -> Iterator[Store]:
        store = open_store(MEMORY, CHAOS_AGENT, EMBEDDING)
        yield store
        store.close()
