"""Which memory justified which action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.ids import MemoryId
from lamina.domain.references import ActionLink


class ActionLinks(Protocol):
    """Keeps links; what is linked is kept for good, whatever its tier. Raises `UnknownRecord` if it is not there."""

    def add(self, links: Sequence[ActionLink]) -> None:
        """Links records to actions, all or none; one that is linked to that action already stays as it was linked."""
        ...

    def of(self, memory_id: MemoryId) -> list[ActionLink]:
        """The actions that a record justified, oldest first."""
        ...

    def behind(self, kind: str, ref: str) -> list[ActionLink]:
        """What justified one action, by the ids of the records."""
        ...
