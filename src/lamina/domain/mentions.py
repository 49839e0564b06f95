"""Labels that a query names: what it says by a label, the envelope answers, and the rest is looked for in the text.

A name in a query says whose memory is meant. Averaged into a vector it drowns the other words, so the vector is made
of those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
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


class Mentions(NamedTuple):
    """All that a query may name: what its parts say, and where they stand. A few of them ever are names."""

    values: Sequence[str]
    spans: Sequence[tuple[int, int]]

    def named(self, names: Container[str]) -> list[Mention]:
        """Those that are names; of names that overlap, the longest."""
        each = zip(self.values, self.spans, strict=True)
        return longest([Mention(value, *span) for value, span in each if value in names])


NO_MENTIONS: Final = Mentions((), ())


def mentions(query: str, saying: Saying) -> Mentions:
    """Every run of a few words of the query in which one says something, the longest first."""
    words = [word.span() for word in islice(_WORD.finditer(query), _MOST_LOOKED_AT)]
    starts, ends = [start for start, _ in words], [end for _, end in words]
    # How many have said something before each word, and in the end.
    said = [0, *accumulate(map(bool, saying([query[start:end] for start, end in words])))]
    spans = [
        (start, end)
        for count in range(min(MOST_WORDS, len(words)), 0, -1)
        for start, end, before, after in zip(starts, ends[count - 1 :], said, said[count:], strict=False)
        if after > before and end - start <= LONGEST_LEXEME
    ]
    whole = folded(query)
    # Where folding moves nothing, the whole is folded once, and not each of its parts.
    if query.isascii() and len(whole) == len(query):
        return Mentions([whole[start:end] for start, end in spans], spans)
    return Mentions([folded(query[start:end]) for start, end in spans], spans)


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


def longest(found: list[Mention]) -> list[Mention]:
    """Of mentions that overlap only the longest: a full name, and not the first name in it too."""
    if len(found) <= 1:
        return found
    kept: list[Mention] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
