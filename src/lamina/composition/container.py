"""The composition root: which adapter stands behind which port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dependency_injector import containers, providers

from lamina.adapters.system.clock import SystemClock
from lamina.adapters.system.ids import TimeOrderedIds
from lamina.application.checked_embedder import CheckedEmbedder
from lamina.application.event_tools import EventTools, PlainCompactor, PlainSummariser
from lamina.application.memory import Memory
from lamina.application.persona_memory import PersonaMemory, event_memory
from lamina.application.resources import Resources
from lamina.application.signals import RevisionSignals
from lamina.application.views import ActorMemoryView
from lamina.composition.embedders import find_embedder
from lamina.domain.anchor import Anchor
from lamina.domain.errors import SchemaMismatch, SettingsError, StoreUnavailable, UnknownKey
from lamina.domain.events import Persona
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.text import checked_text
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.clock import Clock
from lamina.ports.compactor import Compactor
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.judge import Judge
from lamina.ports.lexer import Lexer
from lamina.ports.merger import Merger
from lamina.ports.persona_store import PersonaStore
from lamina.ports.personal_data import PersonalData
from lamina.ports.refusal_surface import RefusalSurface
from lamina.ports.reranker import Reranker
from lamina.ports.store import Store
from lamina.ports.summariser import Summariser
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


def build_store(url: str, spec: AgentMemorySpec, embedder: Embedder, pool: Any = None) -> Store:
    """The store that a URL names: a path or ":memory:" is DuckDB, postgresql:// is Postgres, perhaps by their pool."""
    embedding = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    if pool is None:
        return _adapter(url).open_store(url, spec, embedding)
    if not is_postgres(url):
        raise SettingsError("pool", "is of connections to a server, and the store is a file", "give postgresql://...")
    from lamina.adapters.postgres.store import open_store  # noqa: PLC0415 (its driver is an extra)

    return open_store(url, spec, embedding, pool=pool)


def open_with_its_model(url: str, spec: AgentMemorySpec) -> Store:
    """A store that is there, opened with the model whose vectors it has: to give it another."""
    return _adapter(url).open_store(url, spec, model_there(url, spec))


def model_there(url: str, spec: AgentMemorySpec) -> EmbeddingChoice:
    """The model whose vectors a store has of this agent. Nothing is made by asking."""
    embedding = _adapter(url).model_of(url, spec)
    if embedding is None:
        raise SchemaMismatch(f"store {url}", f"has no memory of {spec.name}", "check the path and the spec")
    return embedding


class _StoreModule(Protocol):
    """What a store's adapter offers the composition root."""

    def open_store(self, url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, /) -> Store: ...

    def open_persona(
        self, url: str, spec: AgentMemorySpec, embedding: EmbeddingChoice, anchor: Anchor, persona: Persona, /
    ) -> PersonaStore: ...

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


def build_detector() -> PersonalData:
    """The one that works offline."""
    from lamina.adapters.privacy.detector import OfflineDetector  # noqa: PLC0415

    return OfflineDetector()


def build_surface() -> RefusalSurface:
    """The log, and Sentry."""
    from lamina.adapters.watching.log import LoggedRefusals  # noqa: PLC0415

    return LoggedRefusals()


def build_tokens() -> Tokens:
    """The bundled model's tokenizer: it ships with Lamina, whatever model embeds."""
    from lamina.adapters.embedding.tokens import BundledTokens  # noqa: PLC0415

    return BundledTokens()


def build_event_tools(tokens: Tokens, compactor: Compactor | None, summariser: Summariser | None) -> EventTools:
    """RapidFuzz, and the domain's own compaction and summary where there is no model."""
    from lamina.adapters.text.fuzzy import RapidFuzz  # noqa: PLC0415

    return EventTools(RapidFuzz(), tokens, compactor or PlainCompactor(), summariser or PlainSummariser())


def build_actor(  # noqa: PLR0913, PLR0917 (what one view is made of)
    url: str,
    spec: AgentMemorySpec,
    embedder: Embedder,
    lexer: Lexer,
    clock: Clock,
    ids: Ids,
    tools: EventTools,
    anchor: Anchor,
) -> ActorMemoryView:
    """The actor's view, on a store that knows the actor's tables only."""
    embedding = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    store = _adapter(url).open_persona(url, spec, embedding, anchor, Persona.ACTOR)
    kept = event_memory(spec)
    return ActorMemoryView(
        PersonaMemory(Persona.ACTOR, store, kept, spec.retrieval, embedder, lexer, clock, ids, tools)
    )


class Container(containers.DeclarativeContainer):
    """Everything that one open memory is made of; a test overrides what it wants otherwise."""

    url: providers.Provider[str] = providers.Dependency(instance_of=str)
    spec: providers.Provider[AgentMemorySpec] = providers.Dependency(instance_of=AgentMemorySpec)
    clock: providers.Provider[Clock] = providers.Singleton(SystemClock)
    ids: providers.Provider[Ids] = providers.Singleton(TimeOrderedIds)
    embedder: providers.Provider[Embedder] = providers.Singleton(find_embedder)
    checked_embedder: providers.Provider[Embedder] = providers.Singleton(CheckedEmbedder, embedder)
    lexer: providers.Provider[Lexer] = providers.Singleton(build_lexer)
    tokens: providers.Provider[Tokens] = providers.Singleton(build_tokens)
    judge: providers.Provider[Judge | None] = providers.Object(None)
    merger: providers.Provider[Merger | None] = providers.Object(None)
    reranker: providers.Provider[Reranker | None] = providers.Object(None)
    pool: providers.Provider[Any] = providers.Object(None)
    compactor: providers.Provider[Compactor | None] = providers.Object(None)
    summariser: providers.Provider[Summariser | None] = providers.Object(None)
    event_tools: providers.Provider[EventTools] = providers.Singleton(build_event_tools, tokens, compactor, summariser)
    signals: providers.Provider[RevisionSignals] = providers.Singleton(RevisionSignals)
    sources: providers.Provider[Sequence[CanonicalSource]] = providers.Object(())
    personal_data: providers.Provider[PersonalData] = providers.Singleton(build_detector)
    surface: providers.Provider[RefusalSurface] = providers.Singleton(build_surface)
    store: providers.Provider[Store] = providers.Singleton(build_store, url, spec, embedder, pool)
    resources: providers.Provider[Resources] = providers.Singleton(
        Resources,
        spec,
        store,
        checked_embedder,
        lexer,
        clock,
        ids,
        signals,
        tokens,
        event_tools,
        judge=judge,
        merger=merger,
        reranker=reranker,
        sources=sources,
        personal_data=personal_data,
        surface=surface,
    )
    actor: providers.Factory[ActorMemoryView] = providers.Factory(
        build_actor, url, spec, checked_embedder, lexer, clock, ids, event_tools
    )
    memory: providers.Provider[Memory] = providers.Singleton(Memory, resources)
