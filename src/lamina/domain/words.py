"""The words that two texts are compared by, whatever they are dressed up as; and phrases, five of them in a row.

Case, punctuation, white space, accents, zero-width characters and letters of another script that look the same make no
difference here. The trigrams of D8 know nothing of this: they stay pg_trgm's own.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lamina.domain.confusables import DRAWN, MEANT, UNSEEN
from lamina.domain.trigram import as_words

PHRASE: Final = 5
"""So many words in a row are seldom said twice by chance, and a change to one word in twenty leaves most of them."""

_MEANT: Final = str.maketrans(DRAWN, MEANT)
_UNSEEN: Final = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSEEN) + "]")


def words(text: str) -> list[str]:
    """Its words, undisguised, in order."""
    if text.isascii():
        return as_words(text).split()
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKD", text))
    return as_words(seen).translate(_MEANT).split()


def phrases(text: str) -> frozenset[str]:
    """Every run of five words."""
    said = words(text)
    return frozenset(" ".join(said[start : start + PHRASE]) for start in range(len(said) - PHRASE + 1))


def share_held(of: str, within: str) -> float:
    """The share of one text's phrases that another holds: what is left of it in a half quote or a padded copy."""
    wanted = phrases(of)
    return len(wanted & phrases(within)) / len(wanted) if wanted else 0.0
