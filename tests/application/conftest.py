"""A World Agent's memory and an assistant's, on each back end, with a clock that tests can turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.retrieval import EmbeddingChoice

if TYPE_CHECKING:
    from tests.conftest import Server, Template

EMBEDDER = HashingEmbedder()
Urls = Callable[[lamina.AgentMemorySpec], str]


@pytest.fixture(params=["duckdb", "postgres"])
def urls(request: pytest.FixtureRequest) -> Iterator[Urls]:
    """Gives an empty store for a spec, on each back end."""
    if request.param == "duckdb":
        yield lambda _: ":memory:"
        return
    server: Server = request.getfixturevalue("postgres_server")
    template: Template = request.getfixturevalue("template")
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    databases = []

    def make(spec: lamina.AgentMemorySpec) -> str:
        databases.append(server.database(template(spec, model).name))
        return databases[-1].url

    yield make
    for database in databases:
        database.drop()


@pytest.fixture
def url(urls: Urls) -> str:
    """An empty store for the World Agent."""
    return urls(lamina.WORLD_AGENT)


@pytest.fixture
def memory(url: str) -> Iterator[lamina.Memory]:
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=EMBEDDER) as memory:
        yield memory


@pytest.fixture
def kyc(memory: lamina.Memory) -> lamina.AnchoredMemory:
    return memory.at(org_id="acme", domain_id="kyc")


@pytest.fixture
def ann(urls: Urls) -> Iterator[lamina.AnchoredMemory]:
    """An assistant's memory of one user: episodes persist."""
    with lamina.open(urls(lamina.ASSISTANT_AGENT), embedder=EMBEDDER) as memory:
        yield memory.at(user_id="ann")


class Clock:
    """Stands still until it is turned."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def turn(self, **by: float) -> None:
        self.time += timedelta(**by)
