"""Texts to lexemes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Lexer(Protocol):
    """Takes a text apart into what two texts about one thing have in common: words, without their endings."""

    def lexemes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """For each text its lexemes, in order and with repetitions, none longer than `terms.LONGEST_LEXEME`.

        Tuples of texts are nothing for the garbage collector to look at, and texts come by the thousand.
        """
        ...

    def forms(self, lexeme: str) -> tuple[str, ...]:
        """The lexemes of other forms of a word, if it has any that are lexemes of their own: a query asks for them too.
        Whatever is a form of one has that one among its own."""
        ...
