"""The persistent records of one anchor, page by page, each with all that maintenance and audits look at."""

from __future__ import annotations

from typing import Protocol

from lamina.domain.ids import MemoryId
from lamina.domain.upkeep import Reviewed


class Reviews(Protocol):
    """Pages go by id, from its beginning after None. The last page is shorter than the limit, or empty."""

    def page(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Whatever has become of them."""
        ...

    def take(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Only what is live or a candidate, and that nobody else has taken: it is this unit's until it ends.

        Several workers may take at once. Whoever finds everything taken is given what comes after it.
        """
        ...
