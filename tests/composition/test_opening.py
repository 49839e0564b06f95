"""Opening a memory: which store a URL names, and what is said of one that names none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from psycopg_pool import ConnectionPool

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import BlankText, SettingsError, StoreUnavailable, UnknownKey, WrongModel, WrongType
from lamina.testing.samples import EMBEDDING, SPEC

if TYPE_CHECKING:
    from tests.conftest import Database


def test_the_defaults_are_the_assistant_and_the_bundled_model(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    with lamina.open(path) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            session.observe("Ann takes her tea without milk")
        assert [hit.record.body for hit in ann.recall("tea")] == ["Ann takes her tea without milk"]
    with pytest.raises(WrongModel, match="has vectors of wordllama/l2_supercat_256"):
        lamina.open(path, embedder=HashingEmbedder())


@pytest.mark.parametrize(
    ("url", "error", "says"),
    [
        ("", BlankText, "store URL has nothing visible"),
        (7, WrongType, "store URL is a int; give a string"),
        ("mysql://localhost/x", UnknownKey, "store mysql:// is not known; give a path, :memory: or postgresql"),
        ("postgresql://u@127.0.0.1:1/x", StoreUnavailable, "cannot be reached: .*Connection refused"),
    ],
)
def test_a_url_that_names_no_store(url: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        lamina.open(url)


def test_a_spec_is_not_a_name() -> None:
    with pytest.raises(WrongType, match=r"spec is a str; give an AgentMemorySpec; find_spec\(\) finds one"):
        lamina.open(":memory:", spec="world_agent")  # type: ignore[arg-type]


def test_migrating_a_file_twice_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    for _ in range(2):
        lamina.migrate(path, lamina.WORLD_AGENT, HashingEmbedder())
    with pytest.raises(UnknownKey, match="store redis:// is not known"):
        lamina.migrate("redis://x", lamina.WORLD_AGENT)


def test_a_caller_brings_their_own_parts() -> None:
    memory = lamina.open(":memory:", spec=lamina.CHAOS_AGENT, embedder=HashingEmbedder(dimension=8))
    with memory, memory.at(agent_id="atlas").session() as session:
        assert session.observe("it began").decision is lamina.Decision.ADD


def test_a_callers_pool_is_used_and_stays_theirs(database: Database) -> None:
    embedder = HashingEmbedder(dimension=EMBEDDING.dimension)
    embedder.model = EMBEDDING.model
    with ConnectionPool(database.as_application, min_size=1, max_size=1, timeout=5) as pool:
        with lamina.open("postgresql://", spec=SPEC, embedder=embedder, pool=pool) as memory:
            kyc = memory.at(org_id="acme", domain_id="kyc")
            assert kyc.prefer("Ask twice").decision is lamina.Decision.ADD
            assert [hit.record.body for hit in kyc.recall("ask")] == ["Ask twice"]
        with pool.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_file_takes_no_pool() -> None:
    with pytest.raises(SettingsError, match="pool is of connections to a server, and the store is a file"):
        lamina.open(":memory:", pool=object())
