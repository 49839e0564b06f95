"""How memory is asked, whether it is one anchor's or several anchors'."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime

from lamina.application.recall import Hit, Query
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

ALL_TIERS = tuple(Tier)
ALL_TYPOLOGIES = tuple(Typology)


class Recalling(ABC):
    """What one anchor's memory and that of several have in common: they are asked in the same words."""

    @abstractmethod
    def _recalled(self, query: Query) -> list[Hit]: ...

    def recall(  # noqa: PLR0913 (each is one thing that a caller may narrow by)
        self,
        text: str,
        limit: int = 10,
        *,
        tags: Mapping[str, str] | None = None,
        tiers: Sequence[Tier] = ALL_TIERS,
        typologies: Sequence[Typology] = ALL_TYPOLOGIES,
        since: datetime | None = None,
        until: datetime | None = None,
        include_retired: bool = False,
    ) -> list[Hit]:
        """What answers the text, best first; each hit says why."""
        selection = Selection(
            tiers=frozenset(tiers),
            typologies=frozenset(typologies),
            since=since,
            until=until,
            include_retired=include_retired,
        )
        return self._recalled(Query(text, limit, tags, selection))
