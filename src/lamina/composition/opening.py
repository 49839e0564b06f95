"""Opening a memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dependency_injector import providers

from lamina.application.memory import Memory
from lamina.application.views import ActorMemoryView
from lamina.composition import find_spec
from lamina.composition.container import Container, checked_url
from lamina.composition.embedders import find_embedder
from lamina.composition.settings import Settings, read_settings
from lamina.domain.agents import ASSISTANT_AGENT, CHAOS_AGENT
from lamina.domain.anchor import AnchorValue
from lamina.domain.errors import SettingsError, UnknownKey, WrongType
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.clock import Clock
from lamina.ports.compactor import Compactor
from lamina.ports.embedder import Embedder
from lamina.ports.judge import Judge
from lamina.ports.merger import Merger
from lamina.ports.personal_data import PersonalData
from lamina.ports.refusal_surface import RefusalSurface
from lamina.ports.reranker import Reranker
from lamina.ports.retention_registry import RetentionRegistry
from lamina.ports.summariser import Summariser


def open(  # noqa: A001, PLR0913 (what a user expects: lamina.open; each is one thing to plug in)
    url: str | None = None,
    spec: AgentMemorySpec | None = None,
    embedder: Embedder | None = None,
    *,
    judge: Judge | None = None,
    merger: Merger | None = None,
    reranker: Reranker | None = None,
    clock: Clock | None = None,
    retention: RetentionRegistry | None = None,
    pool: Any = None,
    sources: Sequence[CanonicalSource] = (),
    personal_data: PersonalData | None = None,
    surface: RefusalSurface | None = None,
    compactor: Compactor | None = None,
    summariser: Summariser | None = None,
) -> Memory:
    """The memory that lives at this URL: a path or ":memory:" is DuckDB, postgresql:// is Postgres.

    What is not given is taken from the environment (LAMINA_STORE, LAMINA_SPEC, LAMINA_EMBEDDER), then from
    `lamina.toml`; in the end the spec is the assistant's and the model is the bundled one. A judge rules on what the
    rules leave open; a merger makes one fact of several that overlap, when maintenance runs; a reranker orders the best
    anew, if the spec says how many; a compactor and a summariser make what is kept of events and loops; a clock tells
    another time than the system's; a registry is told the retention policy of the persistent tier. Sources are the
    canonical texts that nothing may copy, `personal_data` a detector in the place of the one that works offline, and
    `surface` is told of each refused copy in the place of the log. A psycopg `ConnectionPool` that is given stays yours
    to close. Close the memory when you are done.
    """
    if spec is not None and not isinstance(spec, AgentMemorySpec):
        raise WrongType("spec", f"is a {type(spec).__name__}", "give an AgentMemorySpec; find_spec() finds one by name")
    settings = Settings() if url and spec and embedder else read_settings()
    agent = chosen_spec(spec, settings)
    check_reranker(agent, reranker)
    container = Container(url=chosen_url(url, settings), spec=agent)
    _choose_embedder(container, embedder, settings)
    container.sources.override(providers.Object(_listed(sources, agent)))
    given: dict[providers.Provider[Any], object] = {
        container.judge: judge,
        container.merger: merger,
        container.reranker: reranker,
        container.clock: clock,
        container.pool: pool,
        container.personal_data: personal_data,
        container.surface: surface,
        container.compactor: compactor,
        container.summariser: summariser,
    }
    for provider, part in given.items():
        if part is not None:
            provider.override(providers.Object(part))
    memory = container.memory()
    if retention is not None:
        retention.register(memory.retention)
    return memory


def open_actor(
    url: str | None = None,
    spec: AgentMemorySpec | None = None,
    embedder: Embedder | None = None,
    *,
    compactor: Compactor | None = None,
    summariser: Summariser | None = None,
    **keys: AnchorValue,
) -> ActorMemoryView:
    """What actor code is handed: the actor's own memory of the agent with these keys, and nothing else.

    What is not given is taken as `open` takes it; in the end the spec is CHAOS_AGENT. On Postgres, give the URL of a
    role that `migrate(grant_actor_to=...)` let in: the database itself then keeps it from everything else.
    """
    settings = Settings() if url and spec and embedder else read_settings()
    chosen = spec or (find_spec(settings.spec) if settings.spec else CHAOS_AGENT)
    container = Container(url=chosen_url(url, settings), spec=chosen)
    _choose_embedder(container, embedder, settings)
    container.compactor.override(providers.Object(compactor))
    container.summariser.override(providers.Object(summariser))
    return container.actor(chosen.persistent_anchor.bind(keys))


def _choose_embedder(container: Container, embedder: Embedder | None, settings: Settings) -> None:
    chosen = embedder or (find_embedder(settings.embedder) if settings.embedder else None)
    if chosen is not None:
        container.embedder.override(providers.Object(chosen))


def _listed(sources: Sequence[CanonicalSource], spec: AgentMemorySpec) -> tuple[CanonicalSource, ...]:
    """The sources, if the spec's list has their categories: what is not on it would never be compared."""
    listed = [entry.category for entry in spec.reference_only.non_mirror]
    for one in sources:
        if one.category not in listed:
            raise UnknownKey(
                f"source of {one.category}",
                f"is not on the non-mirror list of {spec.name}",
                f"add it there with what to refer by; the list has {', '.join(listed)}",
            )
    return tuple(sources)


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
