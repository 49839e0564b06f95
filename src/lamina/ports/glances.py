"""Recall at a glance: what a store may offer where a round trip counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lamina.domain.anchor import Anchor
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.selection import Selection
from lamina.domain.sheet import Sheet, Wanted


class Glances(Protocol):
    """Each answer is of one moment, and no two need be of the same: a record's version says whether it changed."""

    def are_worth_it(self, anchor: Anchor, terms: int) -> bool:
        """Whether to try for a query of so many terms: not where an anchor was too large when it was last looked at.
        Nothing is asked for it, so that no query is embedded in vain."""
        ...

    def sheet(self, anchor: Anchor, selection: Selection, wanted: Wanted) -> Sheet | None:
        """All live memory of the selection's cells, in one round trip; nothing, where that is not the faster way. It is
        not asked for what else a selection may say."""
        ...

    def records(self, anchor: Anchor, versions: Mapping[MemoryId, int]) -> Mapping[MemoryId, MemoryRecord]:
        """Those of the records that are there, and still of this version."""
        ...
