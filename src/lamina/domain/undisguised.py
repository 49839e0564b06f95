"""A text without its disguises, letter by letter, so that what is found in it can be found in the text itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from lamina.domain.confusables import DRAWN, MEANT, UNSEEN

_MEANT = dict(zip(DRAWN, MEANT, strict=True))


def undisguised(text: str) -> tuple[str, Sequence[int]]:
    """The text as it is meant, and where each of its letters stands in the text itself; one more for its end."""
    if text.isascii():
        return text, range(len(text) + 1)
    letters, places = [], []
    for place, letter in enumerate(text):
        if not is_unseen(letter):
            letters.append(_meant(letter))
            places.append(place)
    return "".join(letters), [*places, len(text)]


def is_unseen(letter: str) -> bool:
    """Whether a reader sees nothing of it."""
    return any(first <= ord(letter) <= last for first, last in UNSEEN)


def _meant(letter: str) -> str:
    plain = unicodedata.normalize("NFKC", letter)
    return _MEANT.get(plain, plain if len(plain) == 1 else letter)
