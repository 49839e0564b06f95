"""The contract suite once more, on tables that are hash-partitioned by anchor, with the longest names there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest

from lamina.adapters.postgres.names import LONGEST, Names
from lamina.adapters.postgres.store import open_store
from lamina.domain.agents import CHAOS_AGENT
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.typology import CELLS
from lamina.ports.store import Store
from lamina.testing import contracts
from lamina.testing.contracts.event_log import Reopen as ReopenEvents
from lamina.testing.contracts.reembedding import Reopen
from lamina.testing.samples import EMBEDDING, SPEC

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template

PREFIX = "a_prefix_that_is_as_long_as_a_name_can_be"[:40]


def partitioned(spec: AgentMemorySpec = SPEC) -> AgentMemorySpec:
    persistence = spec.persistence.model_copy(update={"partitions": 3, "prefix": PREFIX})
    return spec.model_copy(update={"persistence": persistence})


@pytest.fixture
def parts(postgres_server: Server, template: Template) -> Iterator[Database]:
    """An empty store's database with partitions."""
    database = postgres_server.database(template(partitioned(), EMBEDDING).name)
    yield database
    database.drop()


class TestPartitioned(
    contracts.StoreContract,
    contracts.RecordsContract,
    contracts.CandidatesContract,
    contracts.CanonicalRulesContract,
    contracts.CorroborationsContract,
    contracts.RuleReferencesContract,
    contracts.DecisionsContract,
    contracts.ContradictionsContract,
    contracts.ActionLinksContract,
    contracts.ReviewsContract,
    contracts.ScopeCleanUpContract,
):
    @pytest.fixture
    def store(self, parts: Database) -> Iterator[Store]:
        store = open_store(parts.as_application, partitioned(), EMBEDDING)
        yield store
        store.close()


class TestPartitionedReembedding(contracts.ReembeddingContract):
    @pytest.fixture
    def store(self, parts: Database) -> Iterator[Store]:
        store = open_store(parts.as_owner, partitioned(), EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def reopen(self, parts: Database) -> Iterator[Reopen]:
        opened: list[Store] = []

        def reopen(embedding: EmbeddingChoice) -> Store:
            opened.append(open_store(parts.as_owner, partitioned(), embedding))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()


class TestPartitionedEvents(contracts.EventLogContract):
    @pytest.fixture
    def store(self, parts: Database) -> Iterator[Store]:
        store = open_store(parts.as_application, partitioned(), EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def event_parts(self, postgres_server: Server, template: Template) -> Iterator[Database]:
        database = postgres_server.database(template(partitioned(CHAOS_AGENT), EMBEDDING).name)
        yield database
        database.drop()

    @pytest.fixture
    def event_store(self, event_parts: Database) -> Iterator[Store]:
        store = open_store(event_parts.as_application, partitioned(CHAOS_AGENT), EMBEDDING)
        yield store
        store.close()

    @pytest.fixture
    def reopen_events(self, event_parts: Database) -> Iterator[ReopenEvents]:
        opened: list[Store] = []

        def reopen() -> Store:
            opened.append(open_store(event_parts.as_application, partitioned(CHAOS_AGENT), EMBEDDING))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()


@pytest.mark.parametrize("spec", [SPEC, CHAOS_AGENT], ids=["world", "chaos"])
def test_no_name_is_cut_off(spec: AgentMemorySpec) -> None:
    names = Names.of(partitioned(spec))
    own = [names.own(table) for table in (*names.tables, *names.event_tables, *names.prompt_tables)]
    near = [names.near_index(cell, "model", f"_p{number}") for cell in CELLS for number in range(3)]
    assert max(map(len, own + near)) <= LONGEST
    assert len(set(near)) == len(near)


def test_partitions_are_reached_through_the_whole_table_only(template: Template) -> None:
    database: Database = template(partitioned(), EMBEDDING)
    with psycopg.connect(database.as_superuser) as connection:
        rows = connection.execute(
            "SELECT relforcerowsecurity, relacl::text ~ %s FROM pg_class WHERE relispartition AND relkind = 'r'",
            [database.server.application],
        ).fetchall()
    assert len(rows) == 3 * len(Names.of(partitioned()).partitioned) == 12
    assert {(forced, bool(granted)) for forced, granted in rows} == {(True, False)}


def test_partitions_have_their_hnsw_indexes(template: Template) -> None:
    with psycopg.connect(template(partitioned(), EMBEDDING).as_superuser) as connection:
        rows = connection.execute(
            "SELECT count(*) FILTER (WHERE relkind = 'I'), count(*) FILTER (WHERE relispartition)"
            " FROM pg_class JOIN pg_am ON pg_am.oid = relam WHERE amname = 'hnsw'"
        ).fetchone()
    assert rows == (len(CELLS), 3 * len(CELLS))
