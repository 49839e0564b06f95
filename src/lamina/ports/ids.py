"""New identifiers."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID


class Ids(Protocol):
    """Gives ids that nobody else has. Later ones sort later, so that what was written together lies together."""

    def new(self) -> UUID:
        """One more id."""
        ...
