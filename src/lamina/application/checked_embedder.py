"""An embedder, whoever wrote it, whose vectors are looked at as they come: before anything relies on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina.domain.embedding import check_given
from lamina.ports.embedder import Embedder


class CheckedEmbedder:
    """Gives what the embedder gives, or says what is wrong with it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def model(self) -> str:
        """The embedder's."""
        return self._embedder.model

    @property
    def dimension(self) -> int:
        """The embedder's."""
        return self._embedder.dimension

    def documents(self, texts: Sequence[str]) -> Sequence[bytes]:
        """A vector for each text to be found."""
        return self._checked(self._embedder.documents(texts), len(texts))

    def query(self, text: str) -> bytes:
        """The vector of a text to search by."""
        return self._checked([self._embedder.query(text)], 1)[0]

    def queries(self, texts: Sequence[str]) -> Sequence[bytes]:
        """The vectors of many texts to search by."""
        return self._checked(self._embedder.queries(texts), len(texts))

    def _checked(self, vectors: Sequence[bytes], count: int) -> Sequence[bytes]:
        check_given(vectors, count, self.model, self.dimension)
        return vectors


if TYPE_CHECKING:
    _: type[Embedder] = CheckedEmbedder
