"""Another model takes the place of a store's own while it is read and written, on each back end."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.application.conftest import EMBEDDER

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import WrongModel
from lamina.domain.retrieval import EmbeddingChoice

if TYPE_CHECKING:
    from tests.conftest import Server, Template

MANY = 600
"""More than two batches of re-embedding."""


@dataclass(frozen=True)
class Urls:
    """Where an application works, and where the owner of its schema does."""

    application: str
    owner: str


@pytest.fixture(params=["duckdb", "postgres"])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Urls]:
    if request.param == "duckdb":
        path = str(tmp_path / "memory.duckdb")
        yield Urls(path, path)
        return
    server: Server = request.getfixturevalue("postgres_server")
    template: Template = request.getfixturevalue("template")
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = server.database(template(lamina.ASSISTANT_AGENT, model).name)
    yield Urls(database.url, database.url_as(server.owner))
    database.drop()


class Watching(HashingEmbedder):
    """The next model. Before each batch it sees that recall still works, in another thread, and that writing does."""

    def __init__(self, memory: lamina.Memory) -> None:
        super().__init__(dimension=32)
        self._ann = memory.at(user_id="ann")
        self.batches = 0

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        threads = [threading.Thread(target=self._recall), threading.Thread(target=self._write, args=[self.batches])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.batches += 1
        return super().documents(texts)

    def _recall(self) -> None:
        assert len(self._ann.recall("thing number seven", limit=5)) == 5

    def _write(self, number: int) -> None:
        if number < 3:
            self._ann.session().observe(f"written meanwhile {number}").require()


def reembed(urls: Urls, memory: lamina.Memory, embedder: Watching, told: list[tuple[int, int]]) -> int:
    """By its own process where a file is held by one, and else by the schema's owner."""
    if urls.application == urls.owner:
        return memory.reembed(embedder, lambda done, of: told.append((done, of)))
    return lamina.reembed(urls.owner, lamina.ASSISTANT_AGENT, embedder, lambda done, of: told.append((done, of)))


def test_recall_and_writing_go_on_throughout(urls: Urls, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    told: list[tuple[int, int]] = []
    with lamina.open(urls.application, embedder=EMBEDDER) as memory:
        session = memory.at(user_id="ann").session()
        session.observe_many([lamina.Observation(f"thing number {number}") for number in range(MANY)])
        following = Watching(memory)
        given = reembed(urls, memory, following, told)
        assert not failed
        assert following.batches >= 3
        assert given == told[-1][0] == told[-1][1] == MANY + 3, "what was written meanwhile has a vector too"
        assert len(memory.at(user_id="ann").recall("thing", limit=9)) == 9, "whoever has it open goes on"
    with pytest.raises(WrongModel, match="has vectors of hashing/32 .*`lamina reembed`"):
        lamina.open(urls.application, embedder=EMBEDDER)
    with lamina.open(urls.application, embedder=HashingEmbedder(dimension=32)) as memory:
        hits = memory.at(user_id="ann").recall("written meanwhile", limit=3)
        assert {hit.record.body for hit in hits} == {f"written meanwhile {number}" for number in range(3)}
    again = lamina.reembed(urls.owner, lamina.ASSISTANT_AGENT, HashingEmbedder(dimension=32), drop_former=True)
    assert again == 0


class Interrupted(HashingEmbedder):
    """Fails at its second batch, as a worker that is stopped does."""

    batches = 0

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        self.batches += 1
        if self.batches == 2:
            raise KeyboardInterrupt
        return super().documents(texts)


def test_what_was_interrupted_goes_on_where_it_was(urls: Urls) -> None:
    with lamina.open(urls.application, embedder=EMBEDDER) as memory:
        session = memory.at(user_id="ann").session()
        session.observe_many([lamina.Observation(f"thing number {number}") for number in range(MANY)])
    with pytest.raises(KeyboardInterrupt):
        lamina.reembed(urls.owner, lamina.ASSISTANT_AGENT, Interrupted(dimension=32))
    with lamina.open(urls.application, embedder=EMBEDDER) as memory:
        assert len(memory.at(user_id="ann").recall("thing", limit=9)) == 9, "nothing has changed for anybody yet"
    rest = lamina.reembed(urls.owner, lamina.ASSISTANT_AGENT, HashingEmbedder(dimension=32))
    assert 0 < rest < MANY
