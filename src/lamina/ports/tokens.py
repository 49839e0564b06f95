"""How long a text is, as a model counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tokens(Protocol):
    """A real tokenizer."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text is."""
        ...

    def cut(self, text: str, most: int) -> str:
        """The beginning of a text that is at most so many tokens."""
        ...
