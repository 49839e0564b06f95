"""Planning: what a write would decide, without doing it. The same acts, in units that are always undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import Standing
from lamina.ports.persona_store import PersonaStore, PersonaUnit
from lamina.ports.reembedding import Reembedding
from lamina.ports.scope_cleanup import ScopeCleanUp
from lamina.ports.store import Store
from lamina.ports.unit_of_work import UnitOfWork


class _Undone(Exception):
    """Nothing went wrong; nothing is to stay."""


class PlanningPersonaStore:
    """What one persona remembers, in units that see what they write, and leave nothing behind."""

    def __init__(self, store: PersonaStore) -> None:
        self._store = store

    @contextmanager
    def unit(self) -> Iterator[PersonaUnit]:
        """A unit that is undone in the end."""
        with suppress(_Undone), self._store.unit() as unit:
            yield unit
            raise _Undone

    @contextmanager
    def reading(self) -> Iterator[PersonaUnit]:
        """Reading changes nothing anyway."""
        with self._store.reading() as unit:
            yield unit

    def close(self) -> None:
        """The store is its owner's to close."""


class PlanningStore:
    """A store whose units see what they write, and leave nothing behind."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[UnitOfWork]:
        """A unit that is undone in the end."""
        with suppress(_Undone), self._store.unit(anchor) as unit:
            yield _PlannedUnit(unit)
            raise _Undone

    @contextmanager
    def whole(self, anchor: Anchor) -> Iterator[PlanningStore]:
        """A store whose units are all one: what the first would leave behind, the next one sees."""
        with self.unit(anchor) as unit:
            yield _OneUnit(self._store, unit)

    @contextmanager
    def reading(self, anchor: Anchor) -> Iterator[UnitOfWork]:
        """Reading changes nothing anyway."""
        with self._store.reading(anchor) as unit:
            yield unit

    def anchors(self, pattern: AnchorPattern) -> list[Anchor]:
        """The store's own."""
        return self._store.anchors(pattern)

    def every_anchor(self, after: AnchorId | None, limit: int) -> list[Anchor]:
        """The store's own."""
        return self._store.every_anchor(after, limit)

    def persona(self, anchor: Anchor, persona: Persona) -> PersonaStore:
        """The persona's own, in units that are undone in the end."""
        return PlanningPersonaStore(self._store.persona(anchor, persona))

    def agents(self) -> list[Anchor]:
        """The store's own."""
        return self._store.agents()

    def maintain(self, batch: int) -> int:  # noqa: ARG002 (the port's)
        """Nothing is moved by a plan."""
        return 0

    @property
    def glances(self) -> None:
        """What a plan has written is seen in its units only."""

    @property
    def reembedding(self) -> Reembedding:
        """The store's own."""
        return self._store.reembedding

    def close(self) -> None:
        """The store is its owner's to close."""


class _OneUnit(PlanningStore):
    """Every unit of it is the same, which is undone in the end."""

    def __init__(self, store: Store, unit: UnitOfWork) -> None:
        super().__init__(store)
        self._unit = unit

    @contextmanager
    def unit(self, anchor: Anchor) -> Iterator[UnitOfWork]:  # noqa: ARG002 (there is one)
        """The one that there is."""
        yield self._unit

    @contextmanager
    def reading(self, anchor: Anchor) -> Iterator[UnitOfWork]:  # noqa: ARG002 (there is one)
        """The one that there is."""
        yield self._unit


class _PlannedUnit:
    """The store's own unit, in which nothing is taken away."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self.scope_cleanup: ScopeCleanUp = _LeftAsItIs(unit.scope_cleanup)

    def __getattr__(self, port: str) -> Any:
        return getattr(self._unit, port)


class _LeftAsItIs:
    """No store can remove a row in the unit that detached it: so it is only told no more."""

    def __init__(self, real: ScopeCleanUp) -> None:
        self._real = real
        self._removed: set[MemoryId] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def contents(self, scope: InteractionScope | SessionScope) -> list[Standing]:
        """What would still be there, and what would still lead on to it."""
        left = [one for one in self._real.contents(scope) if one.id not in self._removed]
        return [replace(one, followed_from=one.followed_from - self._removed) for one in left]

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """They would be gone."""
        self._removed |= set(ids)


@contextmanager
def whole(resources: Resources, anchor: Anchor) -> Iterator[Resources]:
    """For an act that takes several units: in a plan all of them are one, and else they are what they are."""
    if not isinstance(resources.store, PlanningStore):
        yield resources
        return
    with resources.store.whole(anchor) as store:
        yield replace(resources, store=store)


def planned(resources: Resources) -> Resources:
    """The same resources, with which nothing is written."""
    return replace(resources, store=PlanningStore(resources.store))
