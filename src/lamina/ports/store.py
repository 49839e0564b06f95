"""Where the memory of one spec lives."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from lamina.domain.anchor import Anchor
from lamina.ports.unit_of_work import UnitOfWork


class Store(Protocol):
    """Gives units of work, each bound to one anchor: nothing in it can name another."""

    def unit(self, anchor: Anchor) -> AbstractContextManager[UnitOfWork]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        ...

    def close(self) -> None:
        """Lets go of what the store opened. Closing twice is closing once."""
        ...
