"""The composition root: which adapter stands behind which port."""

from __future__ import annotations

from dependency_injector import containers, providers

from lamina.adapters.system.clock import SystemClock
from lamina.adapters.system.ids import TimeOrderedIds
from lamina.application.memory import Memory
from lamina.application.resources import Resources
from lamina.domain.errors import StoreUnavailable, UnknownKey
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.text import checked_text
from lamina.ports.clock import Clock
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.store import Store


def is_postgres(url: str) -> bool:
    """Whether the URL names a Postgres server."""
    return url.startswith(("postgresql://", "postgres://"))


def checked_url(url: str) -> str:
    """The URL itself, if it names a kind of store that there is."""
    checked_text(url, "store URL", at_most=4_000)
    scheme, separator, _ = url.partition("://")
    if separator and not is_postgres(url):
        raise UnknownKey(f"store {scheme}://", "is not known", "give a path, :memory: or postgresql://...")
    return url


def build_store(url: str, spec: AgentMemorySpec, embedder: Embedder) -> Store:
    """The store that a URL names: a path or ":memory:" is DuckDB, postgresql:// is Postgres."""
    embedding = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    # Each back end is imported only when it is chosen: the other's driver need not be there.
    if is_postgres(url):
        return _open_postgres(url, spec, embedding)
    from lamina.adapters.duckdb.store import open_store as open_duckdb  # noqa: PLC0415

    return open_duckdb(url, spec, embedding)


def _open_postgres(url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice) -> Store:
    try:
        from lamina.adapters.postgres.store import open_store as open_postgres  # noqa: PLC0415
    except ImportError as error:
        raise StoreUnavailable(
            "Postgres", f"needs {error.name}", "install the extra: pip install 'lamina[postgres]'"
        ) from error
    return open_postgres(url, spec, embedding)


def build_embedder() -> Embedder:
    """The bundled model."""
    from lamina.adapters.embedding.bundled import BundledEmbedder  # noqa: PLC0415

    return BundledEmbedder()


class Container(containers.DeclarativeContainer):
    """Everything that one open memory is made of; a test overrides what it wants otherwise."""

    url: providers.Provider[str] = providers.Dependency(instance_of=str)
    spec: providers.Provider[AgentMemorySpec] = providers.Dependency(instance_of=AgentMemorySpec)
    clock: providers.Provider[Clock] = providers.Singleton(SystemClock)
    ids: providers.Provider[Ids] = providers.Singleton(TimeOrderedIds)
    embedder: providers.Provider[Embedder] = providers.Singleton(build_embedder)
    store: providers.Provider[Store] = providers.Singleton(build_store, url, spec, embedder)
    resources: providers.Provider[Resources] = providers.Singleton(Resources, spec, store, embedder, clock, ids)
    memory: providers.Provider[Memory] = providers.Singleton(Memory, resources)
