"""Which memories were put into the prompts of which session."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.injected import Injected


class Injections(Protocol):
    """Keeps what an agent was shown; none is ever changed or removed, nor when its session ends.

    It is a trail, like the decisions: no reference holds the memories, so that transient ones can go with their scope.
    """

    def add(self, session_id: SessionId, ids: Iterable[MemoryId], at: datetime) -> None:
        """Notes that these were shown then, all or none; what is noted of that time already stays as it is."""
        ...

    def of(self, session_id: SessionId) -> list[Injected]:
        """What a session was shown, oldest first, then by id."""
        ...
