"""Ruling on what the rules leave open. It is asked outside any transaction, and may be a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lamina.domain.policies.conflict import Ruling


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the judge says, and why, in a few words."""

    ruling: Ruling
    reason: str


class Judge(Protocol):
    """Never raises because it cannot answer: then it is unsure, says why, and the rules decide as without it."""

    def compare(self, known: str, incoming: str) -> Ruled:
        """How a new text stands to a known one that reads alike."""
        ...
