"""Taking away what a scope leaves behind: the only removal that any port offers, and of transient tiers only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from lamina.domain.errors import KeptForGood
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import Standing, may_go


def check_removable(standings: Iterable[Standing]) -> None:
    """What every store refuses to take away, or to take anything away from."""
    for one in standings:
        refusal = may_go(one)
        if refusal:
            raise KeptForGood(f"record {one.id}", f"stays: {refusal.reason}", "archive it instead")


class ScopeCleanUp(Protocol):
    """Two steps, each in a unit of its own: not every store can remove a row together with what hangs on it.

    Each step can be done again. What it was done for and is not there any more is no matter. Both raise `KeptForGood`
    for a persistent record, and for one that something points at: `domain.scope_cleanup` says which may go.
    """

    def contents(self, scope: InteractionScope | SessionScope) -> list[Standing]:
        """The transient records of a scope, a session's interactions included, in the order of their ids."""
        ...

    def standings(self, ids: Iterable[MemoryId]) -> list[Standing]:
        """Of these records, of whatever tier, those that are there, in the order of their ids."""
        ...

    def abandoned(self, before: datetime, after: SessionId | None, limit: int) -> list[SessionScope]:
        """Sessions that have live transient records, none of which was recorded since: whoever held them is gone.

        They go by id, from the beginning after None.
        """
        ...

    def detach(self, ids: Sequence[MemoryId]) -> None:
        """First: takes away what the records are found by, and their references to rules."""
        ...

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """Then, in a later unit: takes away the records."""
        ...
