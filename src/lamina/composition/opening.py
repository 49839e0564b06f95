"""Opening a memory."""

from __future__ import annotations

from dependency_injector import providers

from lamina.application.memory import Memory
from lamina.composition.container import Container, checked_url
from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import WrongType
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder


def open(  # noqa: A001 (what a user expects: lamina.open)
    url: str, spec: AgentMemorySpec = ASSISTANT_AGENT, embedder: Embedder | None = None
) -> Memory:
    """The memory that lives at this URL: a path or ":memory:" is DuckDB, postgresql:// is Postgres.

    It takes the assistant's spec and the bundled model unless it is given others. Close it when you are done.
    """
    if not isinstance(spec, AgentMemorySpec):
        raise WrongType("spec", f"is a {type(spec).__name__}", "give an AgentMemorySpec; find_spec() finds one by name")
    container = Container(url=checked_url(url), spec=spec)
    if embedder is not None:
        container.embedder.override(providers.Object(embedder))
    return container.memory()
