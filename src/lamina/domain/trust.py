"""How much a source is trusted: whether its word counts towards a promotion."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.frozen import Frozen, FrozenMap, Share

WHOLLY: Final = 1.0


class Trust(Frozen):
    """What each kind of source is trusted with, and single ones otherwise. What is not named is trusted wholly.

    An agent's own inference does not count by default: what it concluded once, it concludes again.
    """

    kinds: FrozenMap[SourceType, Share] = FrozenMap({SourceType.AGENT_INFERENCE: 0.25})
    sources: FrozenMap[UUID, Share] = FrozenMap()
    """Single sources, by their `source_ref`."""
    counts_from: Share = 0.5
    """A source that is trusted less does not count towards a corroboration."""

    def of(self, said: Corroboration) -> float:
        """How much its source is trusted."""
        return self.sources.get(said.source_ref, self.kinds.get(said.source_type, WHOLLY))

    def counts(self, said: Corroboration) -> bool:
        """Whether it counts. What speaks against a record always does."""
        return not said.confirms or self.of(said) >= self.counts_from
