"""Lexemes by Snowball's English stemmer. Scripts that part words by nothing are taken by pairs of characters."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lamina.adapters.text.irregular import FORMS
from lamina.adapters.text.stop_words import STOP_WORDS
from lamina.domain.terms import LONGEST_LEXEME

_UNPARTED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""Thai, Lao, Burmese, Khmer, Kana and Han."""
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
)
"""What stands on a letter and belongs to its word, though Python's \\w leaves it out."""
_LETTER: Final = rf"(?:(?![{_UNPARTED}])[^\W_]|[{_MARKS}])"
_WORDS: Final = re.compile(rf"[{_UNPARTED}]+|{_LETTER}+(?:'{_LETTER}+)?")
_PLAIN_WORDS: Final = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)?")
MOST_WORDS: Final = 65_536
"""How many are remembered; then it begins anew."""
_IS_UNPARTED: Final = re.compile(rf"[{_UNPARTED}]")


class SnowballLexer:
    """Words in lower case, without their endings, without stop words; numbers are words."""

    def lexemes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """For each text its lexemes, in order and with repetitions."""
        stems = _stems()
        # A query is asked about word by word, too, and most of its words are known.
        return [
            ((stem,) if stem else ())
            if text.isascii() and (stem := stems.get(text)) is not None
            else tuple(filter(None, map(stems.__getitem__, _words(text))))
            for text in texts
        ]

    def forms(self, lexeme: str) -> tuple[str, ...]:
        """The lexemes of the irregular forms of a word."""
        return _forms().get(lexeme, ())


# A stemmer must not be used by two threads at once. A word has one lexeme, whichever memory it is met in.
_OF_THREAD: Final = threading.local()


def _stems() -> _Stems:
    if not hasattr(_OF_THREAD, "stems"):
        _OF_THREAD.stems = _Stems()
    stems: _Stems = _OF_THREAD.stems
    return stems


class _Stems(dict[str, str]):
    """Each word's lexeme, worked out when it is first met; a stop word has an empty one."""

    def __init__(self) -> None:
        from Stemmer import Stemmer  # noqa: PLC0415 (only when first used)

        super().__init__()
        self._stemmer = Stemmer("english", 0)

    def __missing__(self, word: str) -> str:
        if len(word) > LONGEST_LEXEME:
            return self[word[:LONGEST_LEXEME]]
        if len(self) >= MOST_WORDS:
            self.clear()
        return self.setdefault(word, "" if word in STOP_WORDS else self._stemmer.stemWord(word))


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    stems, forms = _stems(), dict[str, set[str]]()
    for words in FORMS:
        together = {stems[word] for word in words} - {""}
        for one in together:
            # A word may be a form of two: leaves of a tree, and of someone who leaves.
            forms[one] = forms.get(one, set()) | together - {one}
    return {one: tuple(sorted(others)) for one, others in forms.items() if others}


def _words(text: str) -> Iterable[str]:
    if not text.isascii():
        return _words_of_any_script(text)
    return (text.lower(),) if text.isalnum() else _PLAIN_WORDS.findall(text.lower())


def _words_of_any_script(text: str) -> Iterator[str]:
    for word in _WORDS.findall(unicodedata.normalize("NFKC", text).replace("’", "'").casefold()):
        if len(word) > 1 and _IS_UNPARTED.match(word):
            yield from (first + second for first, second in pairwise(word))
        else:
            yield word


if TYPE_CHECKING:
    from lamina.ports.lexer import Lexer

    _: type[Lexer] = SnowballLexer
