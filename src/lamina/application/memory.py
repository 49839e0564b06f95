"""What a user holds: the memory of one agent, and of it what belongs to one anchor or to several."""

from __future__ import annotations

from datetime import timedelta
from types import TracebackType
from typing import Self

from lamina.application.anchored import AnchoredMemory
from lamina.application.backfill import Backfilled, backfill
from lamina.application.recall import Hit, Query, recall_across
from lamina.application.recalling import Recalling
from lamina.application.reembed import Progress, reembed
from lamina.application.resources import Resources
from lamina.application.signals import Listener
from lamina.domain.anchor import Anchor, AnchorPattern, AnchorValue
from lamina.ports.embedder import Embedder

MAINTENANCE_BATCH = 1_000


class Memory:
    """One agent's memory. Close it, or use it in a `with` statement."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def at(self, **keys: AnchorValue) -> AnchoredMemory:
        """The memory of one anchor. It is immutable, and no verb of it takes a tenant again."""
        return AnchoredMemory(self._resources, self._resources.spec.persistent_anchor.bind(keys))

    def across(self, **keys: AnchorValue) -> AcrossMemory:
        """The memory of every anchor with these keys, for operators: it can be read, and nothing else."""
        return AcrossMemory(self._resources, self._resources.spec.persistent_anchor.pattern(keys))

    def maintain(self) -> int:
        """Moves what was written lately into the indexes, so that searches stay fast; how many rows there were."""
        moved = 0
        while batch := self._resources.store.maintain(MAINTENANCE_BATCH):
            moved += batch
        return moved

    def backfill(self, *, interrupted_after: timedelta | None = None) -> Backfilled:
        """What is derived from events catches up with the log, for every agent; what was done, and what remains."""
        return backfill(self._resources, interrupted_after=interrupted_after)

    def reembed(self, embedder: Embedder, progress: Progress | None = None) -> int:
        """Gives every memory a vector of another model, while this one goes on being searched; how many it gave.

        Open the memory with that embedder afterwards. On Postgres it is done as the schema's owner.
        """
        return reembed(self._resources.store, embedder, progress)

    def subscribe(self, listener: Listener) -> None:
        """From now on it is told of each contradiction that becomes a revision signal here, once it is committed."""
        self._resources.signals.subscribe(listener)

    def close(self) -> None:
        """Lets go of the store."""
        self._resources.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AcrossMemory(Recalling):
    """The memory of several anchors. It has no verb that writes."""

    def __init__(self, resources: Resources, pattern: AnchorPattern) -> None:
        self._resources = resources
        self.pattern = pattern

    def anchors(self) -> list[Anchor]:
        """The anchors that fit and have memory."""
        return self._resources.store.anchors(self.pattern)

    def _recalled(self, query: Query) -> list[Hit]:
        return recall_across(self._resources, self.anchors(), query)
