"""Changing the model of a store."""

from __future__ import annotations

from lamina.application.reembed import Progress
from lamina.application.reembed import reembed as give_vectors
from lamina.composition.container import checked_url, open_with_its_model
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder


def reembed(
    url: str,
    spec: AgentMemorySpec,
    embedder: Embedder,
    progress: Progress | None = None,
    *,
    drop_former: bool = False,
) -> int:
    """Gives every memory of the store a vector of another model, which then is the store's own; how many it gave.

    It runs beside whatever works on the store: recall goes on with the former model. Interrupted, it goes on where it
    was left. On Postgres it runs as the schema's owner. `drop_former` takes the former model's vectors away in the
    end: do that once nobody works with it any more.
    """
    store = open_with_its_model(checked_url(url), spec)
    try:
        given = give_vectors(store, embedder, progress)
    finally:
        store.close()
    if drop_former:
        _drop_former(url, spec)
    return given


def _drop_former(url: str, spec: AgentMemorySpec) -> None:
    # Opened again: by now the next model is the store's own.
    store = open_with_its_model(url, spec)
    try:
        store.reembedding.drop_former()
    finally:
        store.close()
