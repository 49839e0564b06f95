"""What a user holds: the memory of one agent, and of it what belongs to one anchor or to several."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from types import TracebackType
from typing import Self

from lamina.application.anchored import AnchoredMemory
from lamina.application.audit import Audit, audit
from lamina.application.backfill import Backfilled, backfill
from lamina.application.dream import Dreaming, Progress, dream, every_anchor, maintain
from lamina.application.gateway import unguarded
from lamina.application.hit import Hit
from lamina.application.other_memory import Counterpart, OtherMemory
from lamina.application.query import Query
from lamina.application.recall import recall_across
from lamina.application.recalling import Recalling
from lamina.application.reembed import Progress as ReembeddingProgress
from lamina.application.reembed import reembed
from lamina.application.resources import Resources
from lamina.application.signals import Listener
from lamina.domain.anchor import Anchor, AnchorPattern, AnchorValue
from lamina.domain.discipline import Canonical
from lamina.domain.dreaming import Dreamt
from lamina.domain.retention import RetentionPolicy
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.embedder import Embedder

ONE_DAY = timedelta(days=1)


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
        return maintain(self._resources)

    def dream(self, *, abandoned_after: timedelta = ONE_DAY, progress: Progress | None = None) -> Dreamt:
        """Maintains every anchor: closes what nobody closed, applies the lifecycle of each record, consolidates.

        Interrupted, it goes on when it is run again; several workers may run it at once. On Postgres the role must be
        let do it: `lamina migrate --grant-dream-to`.
        """
        return dream(self._resources, Dreaming(abandoned_after, progress))

    def audit(self) -> Audit:
        """Goes through the persistent memory of every anchor, and tells what somebody should look at."""
        return audit(self._resources, every_anchor(self._resources))

    @property
    def retention(self) -> RetentionPolicy:
        """What the persistent tier has registered (D12). Transient tiers register none."""
        return self._resources.spec.retention()

    def backfill(self, *, interrupted_after: timedelta | None = None) -> Backfilled:
        """What is derived from events catches up with the log, for every agent; what was done, and what remains."""
        return backfill(self._resources, interrupted_after=interrupted_after)

    def reembed(self, embedder: Embedder, progress: ReembeddingProgress | None = None) -> int:
        """Gives every memory a vector of another model, while this one goes on being searched; how many it gave.

        Open the memory with that embedder afterwards. On Postgres it is done as the schema's owner.
        """
        return reembed(self._resources.store, embedder, progress)

    def subscribe(self, listener: Listener) -> None:
        """From now on it is told of each contradiction that becomes a revision signal here, once it is committed."""
        self._resources.signals.subscribe(listener)

    def as_source(self, counterpart: Counterpart) -> CanonicalSource:
        """This memory as what another agent's must not copy. Given that agent's keys, the counterpart is ours."""
        return OtherMemory(self._resources, counterpart)

    @property
    def unguarded(self) -> tuple[Canonical, ...]:
        """What of the non-mirror list is compared with nothing, because no source of it was given."""
        return unguarded(self._resources)

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

    def _recalled(self, queries: Sequence[Query]) -> list[list[Hit]]:
        anchors = self.anchors()
        return [recall_across(self._resources, anchors, query) for query in queries]
