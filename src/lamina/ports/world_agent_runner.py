"""How another context reads this memory: by a protocol that is injected where the two are composed (P15, D13)."""

from __future__ import annotations

from typing import Protocol

from lamina.domain.discipline import Reader
from lamina.domain.refusal import Refusal
from lamina.domain.sanitization.answer import Answer
from lamina.domain.sanitization.customer import Tool


class WorldAgentRunner(Protocol):
    """The memory of one anchor, as one kind of reader may see it. No grant, no query and no import goes with it.

    It is bound when it is composed: nothing that a reader says can name another anchor, or make it an operator's.
    """

    @property
    def reader(self) -> Reader:
        """Operator or customer mode."""
        ...

    @property
    def tools(self) -> frozenset[Tool]:
        """What this reader may do. None of it writes."""
        ...

    def ask_world_agent(self, question: str, limit: int = 5) -> Answer:
        """What memory knows, behind the gates of this reader; "I don't know" with what is missing if it does not."""
        ...

    def use(self, tool: str, argument: str) -> Answer | Refusal:
        """Uses a tool by its name, as a chat does; refused if this reader has no such tool."""
        ...
