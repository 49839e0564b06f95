"""Labels that a query names: what it says by a label, the envelope answers, and the rest is looked for in the text.

A name in a query says whose memory is meant. Averaged into a vector it drowns the other words, so the vector is made
of those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, islice
from typing import Final, NamedTuple

from lamina.domain.terms import LONGEST_LEXEME, MOST_WORDS
from lamina.domain.text import folded

_WORD: Final = re.compile(r"\w+")
_MOST_LOOKED_AT: Final = 64
"""Of how many words of a query it is asked whether they are labels: a question names somebody early."""


Saying = Callable[[Sequence[str]], Sequence[object]]
"""Tells of words, one by one, whether they say anything by themselves."""


class Mention(NamedTuple):
    """A part of a query that may be the value of a tag."""

    value: str
    start: int
    end: int


def mentions(query: str, saying: Saying) -> list[Mention]:
    """Every run of a few words of the query in which one says something, the longest first."""
    words = list(islice(_WORD.finditer(query), _MOST_LOOKED_AT))
    starts, ends = [word.start() for word in words], [word.end() for word in words]
    # How many have said something before each word, and in the end.
    said = [0, *accumulate(map(bool, saying([word[0] for word in words])))]
    spans = [
        (starts[first], ends[last - 1])
        for first, last in _runs(len(words))
        if said[last] > said[first] and ends[last - 1] - starts[first] <= LONGEST_LEXEME
    ]
    whole = folded(query)
    # Where folding moves nothing, the whole is folded once, and not each of its parts.
    if query.isascii() and len(whole) == len(query):
        return [Mention(whole[start:end], start, end) for start, end in spans]
    return [Mention(folded(query[start:end]), start, end) for start, end in spans]


@cache
def _runs(words: int) -> list[tuple[int, int]]:
    """Where the runs of so many words begin and end, the longest first."""
    longest = min(MOST_WORDS, words)
    return [(first, first + count) for count in range(longest, 0, -1) for first in range(words - count + 1)]


def without(query: str, found: Iterable[Mention]) -> str:
    """The query but for what it names; all of it, if it does nothing but name."""
    spans = sorted((one.start, one.end) for one in found)
    if not spans:
        return query
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(query)]
    parts = (query[end:start].strip() for end, start in zip(ends, starts, strict=True))
    rest = " ".join(filter(None, parts))
    return rest if _WORD.search(rest) else query


def longest(found: Iterable[Mention]) -> list[Mention]:
    """Of mentions that overlap only the longest: a full name, and not the first name in it too."""
    kept: list[Mention] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
