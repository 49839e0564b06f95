"""How many tokens a text takes in a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tokens(Protocol):
    """Counts as a real tokenizer does."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        ...

    def trimmed(self, text: str, most: int) -> str:
        """The longest beginning of the text with at most so many tokens; nothing, if it has none."""
        ...
