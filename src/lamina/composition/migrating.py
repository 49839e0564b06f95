"""Bringing a store to the schema of a spec."""

from __future__ import annotations

from lamina.composition.container import build_embedder, build_store, checked_url, is_postgres
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder


def migrate(
    url: str,
    spec: AgentMemorySpec,
    embedder: Embedder | None = None,
    *,
    create_canonical: bool = False,
    grant_to: str | None = None,
) -> None:
    """Brings the store at this URL to the schema of the spec; running it again changes nothing.

    On Postgres it runs as the schema's owner. `create_canonical` lets Lamina make the canonical table where nobody else
    keeps one; `grant_to` is the role that the application connects as. A DuckDB file needs neither: it migrates itself
    when it is opened.
    """
    model = embedder or build_embedder()
    if not is_postgres(checked_url(url)):
        build_store(url, spec, model).close()
        return
    from lamina.adapters.postgres.access import grant_access  # noqa: PLC0415 (its driver is an extra)
    from lamina.adapters.postgres.migrate import migrate as migrate_postgres  # noqa: PLC0415

    embedding = EmbeddingChoice(model=model.model, dimension=model.dimension)
    migrate_postgres(url, spec, embedding, create_canonical=create_canonical)
    if grant_to:
        grant_access(url, spec, grant_to, keeps_rules=create_canonical)
