"""Opening the actor's view, and many workers that catch up at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import MissingKey, StoreError, UnknownKey
from lamina.domain.retrieval import EmbeddingChoice

if TYPE_CHECKING:
    from tests.conftest import Server, Template

EMBEDDER = HashingEmbedder()


@pytest.mark.parametrize("beside", [True, False], ids=["beside the memory", "alone"])
def test_an_actor_on_duckdb(tmp_path: Path, *, beside: bool) -> None:
    path = str(tmp_path / "memory.duckdb")
    memory = lamina.open(path, lamina.CHAOS_AGENT, EMBEDDER)
    with memory.at(agent_id="atlas").do("Find the harbour") as loop:
        loop.actor_output("In the north")
    if not beside:
        memory.close()
    with lamina.open_actor(path, embedder=EMBEDDER, agent_id="atlas") as actor:
        assert type(actor) is lamina.ActorMemoryView
        assert actor.rag_query("harbour")
        with actor.do("Find the road") as loop:
            loop.actor_output("In the south")
        assert {hit.summary.text for hit in actor.fuzzy_query("find")} == {
            "Find the harbour; In the north",
            "Find the road; In the south",
        }
    if beside:
        assert len(memory.at(agent_id="atlas").actor_view().fuzzy_query("find")) == 2, "the file is still the memory's"
        assert memory.backfill() == lamina.Backfilled()
        memory.close()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    with pytest.raises(MissingKey, match="agent_id"):
        lamina.open_actor(path, embedder=EMBEDDER)
    with pytest.raises(UnknownKey, match="persona"):
        lamina.open_actor(path, embedder=EMBEDDER, agent_id="atlas", persona="subconscious")
    with pytest.raises(StoreError, match="not kept by this spec"):
        lamina.open_actor(path, lamina.WORLD_AGENT, EMBEDDER, org_id="acme", domain_id="kyc")


def test_on_postgres_many_workers_catch_up_at_once(postgres_server: Server, template: Template) -> None:
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(lamina.CHAOS_AGENT, model).name)
    with lamina.open_actor(database.url, embedder=EMBEDDER, agent_id="atlas") as actor:
        loops = [actor.do(f"task {number}") for number in range(30)]
        for loop in loops:
            for number in range(20):
                loop.system_event(f"step {number}")
            loop.actor_output("done")

    def work(_: int) -> lamina.Backfilled:
        with lamina.open(database.url, lamina.CHAOS_AGENT, EMBEDDER) as memory:
            return memory.backfill()

    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(work, range(3)))
    assert sum(one.entries for one in done) >= 30 * 22
    with lamina.open(database.url, lamina.CHAOS_AGENT, EMBEDDER) as memory:
        memory.backfill()
        atlas = memory.at(agent_id="atlas")
        assert len(atlas.actor_view().fuzzy_query("task", limit=100)) == 30
        assert len(atlas.actor_view().rag_query("task step done", limit=1_000)) == 30 * 22
        assert memory.backfill() == lamina.Backfilled(), "each once, and nothing is left"
    database.drop()


class OtherEmbedder(HashingEmbedder):
    """The same numbers by another name."""

    def __init__(self) -> None:
        super().__init__()
        self.model = "another/64"


@pytest.mark.parametrize("back_end", ["duckdb", "postgres"])
def test_another_model_takes_over_long_term_memory(
    tmp_path: Path, postgres_server: Server, template: Template, back_end: str
) -> None:
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(lamina.CHAOS_AGENT, model).name)
    url = database.url_as(postgres_server.owner) if back_end == "postgres" else str(tmp_path / "memory.duckdb")
    with (
        lamina.open(url, lamina.CHAOS_AGENT, EMBEDDER) as memory,
        memory.at(agent_id="atlas").do("Find the harbour") as loop,
    ):
        loop.actor_output("In the north")
    lamina.reembed(url, lamina.CHAOS_AGENT, OtherEmbedder())
    with lamina.open(url, lamina.CHAOS_AGENT, OtherEmbedder()) as memory:
        view = memory.at(agent_id="atlas").actor_view()
        (hit,) = view.rag_query("harbour")
        assert set(hit.why) == {"lexical"}, "its words are found until it has a vector of the new model"
        done = memory.backfill()
        assert done.complete
        assert done.entries >= 2
        assert {signal for hit in view.rag_query("harbour") for signal in hit.why} == {"lexical", "semantic"}
        assert memory.backfill() == lamina.Backfilled()
    database.drop()
