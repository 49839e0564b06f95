"""Re-embedding: another model takes the place of a store's own, a batch at a time, while recall goes on."""

from __future__ import annotations

from collections.abc import Callable

from lamina.application.checked_embedder import CheckedEmbedder
from lamina.domain.retrieval import EmbeddingChoice
from lamina.ports.embedder import Embedder
from lamina.ports.store import Store

BATCH = 256
Progress = Callable[[int, int], None]
"""Is told after each batch how many have a vector by now, and of how many."""


def reembed(store: Store, embedder: Embedder, progress: Progress | None = None) -> int:
    """Gives every record that has a vector one of this model, then makes it the store's own; how many it gave.

    Interrupted, it goes on where it was left when it is run again.
    """
    following = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    checked = CheckedEmbedder(embedder)
    work = store.reembedding
    work.begin(following)
    done = 0
    while True:
        while lacking := work.missing(BATCH):
            work.add(lacking, checked.documents([one.body for one in lacking]))
            done += len(lacking)
            if progress:
                progress(done, done + work.remaining())
        # What was written since is embedded before anything is switched.
        if work.finish():
            return done
