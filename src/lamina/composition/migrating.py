"""Bringing a store to the schema of a spec."""

from __future__ import annotations

from lamina.composition.container import build_store, checked_url, is_postgres
from lamina.composition.embedders import find_embedder
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder


def migrate(  # noqa: PLR0913 (each is one thing that an owner decides)
    url: str,
    spec: AgentMemorySpec,
    embedder: Embedder | None = None,
    *,
    create_canonical: bool = False,
    grant_to: str | None = None,
    grant_across_to: str | None = None,
    grant_dream_to: str | None = None,
    grant_actor_to: str | None = None,
) -> None:
    """Brings the store at this URL to the schema of the spec; running it again changes nothing.

    On Postgres it runs as the schema's owner. `create_canonical` lets Lamina make the canonical table where nobody else
    keeps one; `grant_to` is the role that the application connects as, `grant_across_to` an operator's, which may also
    ask several anchors at once, `grant_dream_to` that of a worker which maintains all of them; `grant_actor_to` is what
    actor code connects as, and sees the actor's memory only. A DuckDB file needs none of them: it migrates itself when
    it is opened.
    """
    model = embedder or find_embedder()
    if not is_postgres(checked_url(url)):
        build_store(url, spec, model).close()
        return
    from lamina.adapters.postgres.access import grant_access, grant_actor  # noqa: PLC0415 (its driver is an extra)
    from lamina.adapters.postgres.migrate import migrate as migrate_postgres  # noqa: PLC0415

    embedding = EmbeddingChoice(model=model.model, dimension=model.dimension)
    migrate_postgres(url, spec, embedding, create_canonical=create_canonical)
    for role in {grant_to, grant_across_to, grant_dream_to} - {None}:
        grant_access(
            url,
            spec,
            str(role),
            keeps_rules=create_canonical,
            operator=role == grant_across_to,
            dreams=role == grant_dream_to,
        )
    if grant_actor_to:
        grant_actor(url, spec, grant_actor_to)
