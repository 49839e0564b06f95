"""A chat that can ask the World Agent. What it is handed is all that it can reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Told(Protocol):
    """An answer, as a chat shows it."""

    @property
    def text(self) -> str: ...


class WorldAgent(Protocol):
    """What this context needs of the other one, in its own words. Lamina's runner fits it."""

    def ask_world_agent(self, question: str) -> Told: ...


@dataclass(frozen=True)
class Chat:
    """One chat, with one person."""

    world_agent: WorldAgent

    def reply(self, message: str) -> str:
        """What the chat says."""
        return f"> {message}\n{self.world_agent.ask_world_agent(message).text}"
