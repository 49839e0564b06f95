"""What went into a prompt, and when: so that it is not written down again as if somebody had said it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.instants import checked_instant


@dataclass(frozen=True, slots=True)
class Injected:
    """One memory that was put before the agent in one session."""

    session_id: SessionId
    memory_id: MemoryId
    at: datetime

    def __post_init__(self) -> None:
        checked_instant(self.at, "injected at")


def injected(session_id: SessionId, ids: Iterable[MemoryId], at: datetime) -> list[Injected]:
    """One prompt's memories, each once, in the order of their ids."""
    return [Injected(session_id, id_, at) for id_ in sorted(set(ids))]
