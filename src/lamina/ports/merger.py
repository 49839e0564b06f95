"""Making one text of several that overlap. It is asked outside any transaction, and may be a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Merged:
    """One text in the place of several, or none, and why, in a few words."""

    text: str | None
    reason: str
    ask_again: bool = False
    """Whether there is no text only because nobody could be asked just now."""


class Merger(Protocol):
    """Never raises because it cannot answer: then there is no text, it says why, and everything stays as it is."""

    def merge(self, texts: Sequence[str]) -> Merged:
        """One text that says all that these say, the older ones first; no text if they are about several things."""
        ...
