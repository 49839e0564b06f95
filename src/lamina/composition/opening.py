"""Opening a memory."""

from __future__ import annotations

from dependency_injector import providers

from lamina.application.memory import Memory
from lamina.application.views import ActorMemoryView
from lamina.composition import find_spec
from lamina.composition.container import Container, checked_url
from lamina.composition.embedders import find_embedder
from lamina.composition.settings import Settings, read_settings
from lamina.domain.agents import ASSISTANT_AGENT, CHAOS_AGENT
from lamina.domain.anchor import AnchorValue
from lamina.domain.errors import SettingsError, WrongType
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.compactor import Compactor
from lamina.ports.embedder import Embedder
from lamina.ports.judge import Judge
from lamina.ports.summariser import Summariser


def open(  # noqa: A001, PLR0913 (what a user expects: lamina.open)
    url: str | None = None,
    spec: AgentMemorySpec | None = None,
    embedder: Embedder | None = None,
    *,
    judge: Judge | None = None,
    compactor: Compactor | None = None,
    summariser: Summariser | None = None,
) -> Memory:
    """The memory that lives at this URL: a path or ":memory:" is DuckDB, postgresql:// is Postgres.

    What is not given is taken from the environment (LAMINA_STORE, LAMINA_SPEC, LAMINA_EMBEDDER), then from
    `lamina.toml`; in the end the spec is the assistant's and the model is the bundled one. A judge rules on what the
    rules leave open; a compactor and a summariser make what is kept of events and loops. Close it when you are done.
    """
    if spec is not None and not isinstance(spec, AgentMemorySpec):
        raise WrongType("spec", f"is a {type(spec).__name__}", "give an AgentMemorySpec; find_spec() finds one by name")
    settings = Settings() if url and spec and embedder else read_settings()
    container = Container(url=chosen_url(url, settings), spec=chosen_spec(spec, settings))
    _choose_embedder(container, embedder, settings)
    container.judge.override(providers.Object(judge))
    container.compactor.override(providers.Object(compactor))
    container.summariser.override(providers.Object(summariser))
    return container.memory()


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
