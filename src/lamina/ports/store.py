"""Where the memory of one spec lives."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.ports.glances import Glances
from lamina.ports.persona_store import PersonaStore
from lamina.ports.reembedding import Reembedding
from lamina.ports.unit_of_work import UnitOfWork


class Store(Protocol):
    """Gives units of work, each bound to one anchor: nothing in it can name another."""

    def unit(self, anchor: Anchor) -> AbstractContextManager[UnitOfWork]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        ...

    def reading(self, anchor: Anchor) -> AbstractContextManager[UnitOfWork]:
        """A unit that only reads: whatever would write in it raises `ReadOnly`. All of it sees one moment."""
        ...

    def anchors(self, pattern: AnchorPattern) -> list[Anchor]:
        """The anchors that fit and have memory, in the order of their parts: for operators, who ask each in turn. One
        whose memory has all gone with its scopes may be listed still.

        Raises `NotPermitted` where the database says that this role is no operator's.
        """
        ...

    def every_anchor(self, after: AnchorId | None, limit: int) -> list[Anchor]:
        """The anchors that have memory, in the order of their ids, from the beginning after None: for maintenance.

        Raises `NotPermitted` where the database does not let this role maintain all of them.
        """
        ...

    def persona(self, anchor: Anchor, persona: Persona) -> PersonaStore:
        """What one persona of one anchor remembers. Raises `StoreError` for a spec without event memory, and
        `NotAName` for an anchor that cannot name a collection."""
        ...

    def agents(self) -> list[Anchor]:
        """Every anchor that has events, in the order of their parts: for maintenance, which works on each in turn."""
        ...

    def maintain(self, batch: int) -> int:
        """Moves up to `batch` fresh rows into the indexes that no write pays for; 0 if none are left."""
        ...

    @property
    def glances(self) -> Glances | None:
        """How recall asks at a glance, where the store can be so asked."""
        ...

    @property
    def reembedding(self) -> Reembedding:
        """Another model in the place of this one."""
        ...

    def close(self) -> None:
        """Lets go of what the store opened. Closing twice is closing once."""
        ...
