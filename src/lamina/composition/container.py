"""The composition root: which adapter stands behind which port."""

from __future__ import annotations

from typing import Protocol

from dependency_injector import containers, providers

from lamina.adapters.system.clock import SystemClock
from lamina.adapters.system.ids import TimeOrderedIds
from lamina.application.memory import Memory
from lamina.application.resources import Resources
from lamina.application.signals import RevisionSignals
from lamina.composition.embedders import find_embedder
from lamina.domain.errors import SchemaMismatch, StoreUnavailable, UnknownKey
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.text import checked_text
from lamina.ports.clock import Clock
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.judge import Judge
from lamina.ports.lexer import Lexer
from lamina.ports.reranker import Reranker
from lamina.ports.store import Store
from lamina.ports.tokens import Tokens


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
    return _adapter(url).open_store(url, spec, EmbeddingChoice(model=embedder.model, dimension=embedder.dimension))


def open_with_its_model(url: str, spec: AgentMemorySpec) -> Store:
    """A store that is there, opened with the model whose vectors it has: to give it another."""
    adapter = _adapter(url)
    embedding = adapter.model_of(url, spec)
    if embedding is None:
        raise SchemaMismatch(f"store {url}", f"has no memory of {spec.name}", "check the path and the spec")
    return adapter.open_store(url, spec, embedding)


class _StoreModule(Protocol):
    """What a store's adapter offers the composition root."""

    def open_store(self, url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, /) -> Store: ...

    def model_of(self, url: str, spec: AgentMemorySpec, /) -> EmbeddingChoice | None: ...


def _adapter(url: str) -> _StoreModule:
    # Each back end is imported only when it is chosen: the other's driver need not be there.
    if not is_postgres(url):
        from lamina.adapters.duckdb import store as duckdb_store  # noqa: PLC0415

        return duckdb_store
    try:
        from lamina.adapters.postgres import store as postgres_store  # noqa: PLC0415
    except ImportError as error:
        raise StoreUnavailable(
            "Postgres", f"needs {error.name}", "install the extra: pip install 'lamina[postgres]'"
        ) from error
    return postgres_store


def build_lexer() -> Lexer:
    """Snowball's."""
    from lamina.adapters.text.snowball import SnowballLexer  # noqa: PLC0415

    return SnowballLexer()


def build_tokens() -> Tokens:
    """The bundled model's tokenizer: it ships with Lamina, whatever model embeds."""
    from lamina.adapters.embedding.tokens import BundledTokens  # noqa: PLC0415

    return BundledTokens()


class Container(containers.DeclarativeContainer):
    """Everything that one open memory is made of; a test overrides what it wants otherwise."""

    url: providers.Provider[str] = providers.Dependency(instance_of=str)
    spec: providers.Provider[AgentMemorySpec] = providers.Dependency(instance_of=AgentMemorySpec)
    clock: providers.Provider[Clock] = providers.Singleton(SystemClock)
    ids: providers.Provider[Ids] = providers.Singleton(TimeOrderedIds)
    embedder: providers.Provider[Embedder] = providers.Singleton(find_embedder)
    lexer: providers.Provider[Lexer] = providers.Singleton(build_lexer)
    tokens: providers.Provider[Tokens] = providers.Singleton(build_tokens)
    judge: providers.Provider[Judge | None] = providers.Object(None)
    reranker: providers.Provider[Reranker | None] = providers.Object(None)
    signals: providers.Provider[RevisionSignals] = providers.Singleton(RevisionSignals)
    store: providers.Provider[Store] = providers.Singleton(build_store, url, spec, embedder)
    resources: providers.Provider[Resources] = providers.Singleton(
        Resources, spec, store, embedder, lexer, clock, ids, signals, tokens, judge, reranker
    )
    memory: providers.Provider[Memory] = providers.Singleton(Memory, resources)
