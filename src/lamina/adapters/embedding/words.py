"""The tokens of a text, word by word: each word is taken apart once, and most words come again and again.

No token of this tokenizer has a blank in it but at its beginning, so no token reaches from one word into the next, and
a text's tokens are its words' tokens, one after another. Where blanks are not just between words, or a text has one of
the tokenizer's own signs in it, the text is taken apart as a whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tokens = bytes
"""Numbers of four bytes each: joined and read by numpy faster than a list, and no work for the garbage collector."""
MOST_WORDS: Final = 65_536
"""How many are remembered; then it begins anew."""
TOGETHER: Final = 512
LONGEST_WORD: Final = 32
"""What is longer is seldom met again."""
_BLANK: Final = "\u2581"
"""What the tokenizer writes for one."""


class Words:
    """Remembers the tokens of words. Threads may share it: what one of them looks up is never taken away."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, Tokens] = {}

    def of(self, text: str) -> Tokens:
        """The tokens of one text, which are mostly known: a query comes alone, and is waited for."""
        if _is_plain(text):
            try:
                return b"".join(map(self._known.__getitem__, text.split(" ")))
            except KeyError:
                pass
        return self._tokens([text])[0]

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text."""
        # A few at a time: lists that live long are looked at by the garbage collector again and again.
        few = (texts[start : start + TOGETHER] for start in range(0, len(texts), TOGETHER))
        return [tokens for some in few for tokens in self._tokens(some)]

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        parts = [text.split(" ") if _is_plain(text) else [text] for text in texts]
        known = self._knowing(set(chain.from_iterable(parts)))
        return [b"".join(map(known.__getitem__, words)) for words in parts]

    def _knowing(self, words: set[str]) -> dict[str, Tokens]:
        known = self._known
        # A difference of sets would go through all that is known.
        new = [word for word in words if word not in known]
        if not new:
            return known
        taken_apart = self._taken_apart(new)
        known |= {word: tokens for word, tokens in taken_apart.items() if len(word) <= LONGEST_WORD}
        if len(known) > MOST_WORDS:
            self._known = {}
        return taken_apart | {word: known[word] for word in words if word not in taken_apart}

    def _taken_apart(self, words: list[str]) -> dict[str, Tokens]:
        # The fast way keeps no places of tokens in the text; the tokens are the same.
        encoded = self._tokenizer.encode_batch_fast(words, add_special_tokens=False)
        return {word: array("i", one.ids).tobytes() for word, one in zip(words, encoded, strict=True)}


def _is_plain(text: str) -> bool:
    # All of the tokenizer's own signs begin with "<".
    return not ("<" in text or "  " in text or _BLANK in text or text[:1] == " " or text[-1:] == " ")
