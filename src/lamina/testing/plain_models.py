"""Small stand-ins for the models that memory is derived and found by: quick, and the same on every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from zlib import crc32

from lamina.testing.samples import EMBEDDING, vector


class WordEmbedder:
    """Vectors of the sample model: texts with words in common are alike."""

    model: Final = EMBEDDING.model
    dimension: Final = EMBEDDING.dimension

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        return [self.query(text) for text in texts]

    def query(self, text: str) -> bytes:
        """One text's vector."""
        numbers = [0.01] * self.dimension
        for word in text.lower().split():
            numbers[crc32(word.encode()) % self.dimension] += 1.0
        return vector(*numbers)

    def queries(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts to search by."""
        return self.documents(texts)


class WordLexer:
    """Words as they stand."""

    def lexemes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The words of each text."""
        plain = ("".join(c if c.isalnum() else " " for c in text) for text in texts)
        return [tuple(word[:64] for word in text.split()) for text in plain]

    def forms(self, lexeme: str) -> tuple[str, ...]:  # noqa: ARG002 (the port's)
        """No word has another form."""
        return ()


class WordTokens:
    """A word is a token."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many words each text has."""
        return [len(text.split()) for text in texts]

    def trimmed(self, text: str, most: int) -> str:
        """The first words of a text."""
        return " ".join(text.split()[:most])


class WordFuzzy:
    """The share of the query's words that a text has: like token_set_ratio, without a library."""

    def token_set_ratios(self, query: str, texts: Sequence[str]) -> list[float]:
        """From 0 to 100."""
        asked = set(query.split())
        return [100.0 * len(asked & set(text.split())) / max(len(asked), 1) for text in texts]


if TYPE_CHECKING:
    from lamina.ports.embedder import Embedder
    from lamina.ports.fuzzy import Fuzzy
    from lamina.ports.lexer import Lexer
    from lamina.ports.tokens import Tokens

    _embedder: type[Embedder] = WordEmbedder
    _lexer: type[Lexer] = WordLexer
    _tokens: type[Tokens] = WordTokens
    _fuzzy: type[Fuzzy] = WordFuzzy
