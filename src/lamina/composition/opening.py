"""Opening a memory."""

from __future__ import annotations

from dependency_injector import providers

from lamina.application.memory import Memory
from lamina.composition import find_spec
from lamina.composition.container import Container, checked_url
from lamina.composition.embedders import find_embedder
from lamina.composition.settings import Settings, read_settings
from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import SettingsError, WrongType
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder
from lamina.ports.judge import Judge
from lamina.ports.reranker import Reranker


def open(  # noqa: A001 (what a user expects: lamina.open)
    url: str | None = None,
    spec: AgentMemorySpec | None = None,
    embedder: Embedder | None = None,
    *,
    judge: Judge | None = None,
    reranker: Reranker | None = None,
) -> Memory:
    """The memory that lives at this URL: a path or ":memory:" is DuckDB, postgresql:// is Postgres.

    What is not given is taken from the environment (LAMINA_STORE, LAMINA_SPEC, LAMINA_EMBEDDER), then from
    `lamina.toml`; in the end the spec is the assistant's and the model is the bundled one. A judge rules on what the
    rules leave open; a reranker orders the best anew, if the spec says how many. Close it when you are done.
    """
    if spec is not None and not isinstance(spec, AgentMemorySpec):
        raise WrongType("spec", f"is a {type(spec).__name__}", "give an AgentMemorySpec; find_spec() finds one by name")
    settings = Settings() if url and spec and embedder else read_settings()
    agent = chosen_spec(spec, settings)
    check_reranker(agent, reranker)
    container = Container(url=chosen_url(url, settings), spec=agent)
    chosen = embedder or (find_embedder(settings.embedder) if settings.embedder else None)
    if chosen is not None:
        container.embedder.override(providers.Object(chosen))
    container.judge.override(providers.Object(judge))
    container.reranker.override(providers.Object(reranker))
    return container.memory()


def chosen_url(url: str | None, settings: Settings) -> str:
    """The store's URL, by whoever gave it."""
    chosen = settings.store if url is None else url
    if chosen is None:
        raise SettingsError(
            "store", "is not given", "give a URL, set LAMINA_STORE, or write store = '...' in lamina.toml"
        )
    return checked_url(chosen)


def chosen_spec(spec: AgentMemorySpec | None, settings: Settings) -> AgentMemorySpec:
    """The spec, by whoever gave it."""
    return spec or (find_spec(settings.spec) if settings.spec else ASSISTANT_AGENT)


def check_reranker(spec: AgentMemorySpec, reranker: Reranker | None) -> None:
    """A spec and a reranker that do not know of each other would be a choice that nobody sees undone."""
    best = spec.retrieval.rerank_best
    if best and reranker is None:
        raise SettingsError(
            f"spec {spec.name}",
            f"has the best {best} reranked, and there is no reranker",
            "open it with reranker=..., such as find_reranker(folder), or take rerank_best out",
        )
    if reranker is not None and not best:
        raise SettingsError(
            "reranker", f"is not used by the spec {spec.name}", "set its retrieval.rerank_best, or leave it out"
        )
