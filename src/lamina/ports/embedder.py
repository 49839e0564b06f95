"""Texts to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """One model. The same text gives the same vector; vectors have unit length."""

    @property
    def model(self) -> str:
        """The model's name, kept with every vector."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def documents(self, texts: Sequence[str]) -> Sequence[bytes]:
        """A vector, as float32 bytes, for each text to be found."""
        ...

    def query(self, text: str) -> bytes:
        """The vector of a text to search by; some models want it asked differently."""
        ...

    def queries(self, texts: Sequence[str]) -> Sequence[bytes]:
        """The vectors of many texts to search by, at once."""
        ...
