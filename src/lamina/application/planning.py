"""Planning: what a write would decide, without doing it. The same acts, in units that are always undone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.ports.persona_store import PersonaStore, PersonaUnit
from lamina.ports.reembedding import Reembedding
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
            yield unit
            raise _Undone

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
    def reembedding(self) -> Reembedding:
        """The store's own."""
        return self._store.reembedding

    def close(self) -> None:
        """The store is its owner's to close."""


def planned(resources: Resources) -> Resources:
    """The same resources, with which nothing is written."""
    return replace(resources, store=PlanningStore(resources.store))
