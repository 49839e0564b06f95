"""A deterministic embedder without a model, for tests: texts that share words have similar vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np


class HashingEmbedder:
    """Each word votes for a few places of the vector."""

    def __init__(self, dimension: int = 64) -> None:
        self.model = f"hashing/{dimension}"
        self.dimension = dimension

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        return [self._vector(text) for text in texts]

    def query(self, text: str) -> bytes:
        """The vector of a text to search by."""
        return self._vector(text)

    def queries(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts to search by."""
        return self.documents(texts)

    def _vector(self, text: str) -> bytes:
        votes = np.zeros(self.dimension, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()) or [text]:
            digest = blake2b(word.encode(), digest_size=16).digest()
            for place in range(0, 16, 4):
                votes[int.from_bytes(digest[place : place + 3], "big") % self.dimension] += (
                    1 if digest[place + 3] % 2 else -1
                )
        norm = float(np.linalg.norm(votes))
        if norm == 0:
            votes[0] = norm = 1.0
        return (votes / np.float32(norm)).astype(np.float32).tobytes()


if TYPE_CHECKING:
    from lamina.ports.embedder import Embedder

    _: type[Embedder] = HashingEmbedder
