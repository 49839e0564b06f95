"""Whether two texts that read alike say the same. Similarity cannot tell Armenia from Argentina; this can.

It errs to one side on purpose: taking two facts for one loses a fact, keeping one twice costs a row. So any other word,
in any other place, is a change; only case, punctuation, articles and words that add nothing are not.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Final

_WORD: Final = re.compile(
    r"""
    (?<![\w.])[-+−]?[$€£¥]?\d+(?:[.,:/-]\d+)*\s?[%‰€£¥$°]?  # a number, with its sign and unit
    | [<>=≤≥≠≈~]+                                          # what a number is compared by
    | \w+(?:['’]\w+)*                                      # a word
    """,
    re.VERBOSE,
)
# fmt: off
_SAYS_NOTHING: Final = frozenset({
    "a", "an", "the", "actually", "again", "also", "basically", "indeed", "just", "please", "quite", "really", "simply",
    "so", "then", "very", "well",
})
# fmt: on


def change_between(one: str, other: str) -> str | None:
    """What a reader must not miss between two near-duplicates: a value, number, name or negation. None if nothing."""
    before, after = contents(one), contents(other)
    for was, now in zip_longest(before, after):
        if was is None or now is None:
            return f"{was or now!r} is in one of them only"
        if was.casefold() != now.casefold():
            return f"{was!r} became {now!r}"
    return None


def substance(text: str) -> tuple[str, ...]:
    """What two texts have in common if nothing lies between them: equal if `change_between` is None."""
    return tuple(word.casefold() for word in contents(text))


def in_common(one: str, other: str) -> float:
    """The share of their words that two texts have in common."""
    ours, theirs = set(substance(one)), set(substance(other))
    return len(ours & theirs) / (len(ours | theirs) or 1)


def contents(text: str) -> list[str]:
    """Its words and numbers, in order, without those that say nothing."""
    # A number and its unit are one word, however they are set.
    words = ("".join(word.split()) for word in _WORD.findall(text))
    return [word for word in words if word.casefold() not in _SAYS_NOTHING]
