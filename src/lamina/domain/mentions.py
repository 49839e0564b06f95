"""Labels that a query names: what it says by a label, the envelope answers, and the rest is looked for in the text.

A name in a query says whose memory is meant. Averaged into a vector it drowns the other words, so the vector is made
of those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import accumulate, islice
from typing import Final, NamedTuple

from lamina.domain.terms import LONGEST_LEXEME, MOST_WORDS
from lamina.domain.text import folded

_WORD: Final = re.compile(r"\w+")
_MOST_LOOKED_AT: Final = 64
"""Of how many words of a query it is asked whether they are labels: a question names somebody early."""
FEW: Final = 64
"""Up to so many names, each is looked for in the query; more are asked whether a part of it is one."""

Saying = Callable[[Sequence[str]], Sequence[object]]
"""Tells of words, one by one, whether they say anything by themselves."""


class Mention(NamedTuple):
    """A part of a query that may be the value of a tag."""

    value: str
    start: int
    end: int


class Mentions:
    """All that a query may name: every run of a few of its words in which one says something. A few ever are names."""

    def __init__(self, query: str, saying: Saying) -> None:
        self._query = query
        self._saying = saying
        self._words = [word.span() for word in islice(_WORD.finditer(query), _MOST_LOOKED_AT)]
        whole, end = folded(query), self._words[-1][0] + LONGEST_LEXEME if self._words else 0
        # Where folding moves nothing, the whole is folded once, and not each of its parts; no name ends behind this.
        self._whole = whole[:end] if query.isascii() and len(whole) == len(query) else None
        self._met: dict[str, list[Mention]] = {}

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each run stands, the longest first."""
        query, words = self._query, self._words
        starts, ends = [start for start, _ in words], [end for _, end in words]
        # How many have said something before each word, and in the end.
        said = [0, *accumulate(map(bool, self._saying([query[start:end] for start, end in words])))]
        return [
            (start, end)
            for count in range(min(MOST_WORDS, len(words)), 0, -1)
            for start, end, before, after in zip(starts, ends[count - 1 :], said, said[count:], strict=False)
            if after > before and end - start <= LONGEST_LEXEME
        ]

    @property
    def values(self) -> list[str]:
        """What each run says."""
        if self._whole is None:
            return [folded(self._query[start:end]) for start, end in self.spans]
        return [self._whole[start:end] for start, end in self.spans]

    def among(self, names: Set[str]) -> Set[str]:
        """Those of some names that it may name."""
        return {one.value for one in self._named(names)}

    def named(self, names: Set[str]) -> list[Mention]:
        """Where it names some; of names that overlap, the longest."""
        return longest(self._named(names))

    def _named(self, names: Set[str]) -> list[Mention]:
        if self._whole is None or len(names) > FEW:
            each = zip(self.values, self.spans, strict=True)
            return [Mention(value, *span) for value, span in each if value in names]
        # An agent mostly knows a few people and projects: it is soon told whether the query has the name of one.
        whole = self._whole
        return [one for name in names if name in whole for one in self._standing(name, whole)]

    def _standing(self, name: str, whole: str) -> list[Mention]:
        """Where a name stands in the query as a run of its words."""
        if name not in self._met:
            self._met[name] = list(self._runs(name, whole))
        return self._met[name]

    def _runs(self, name: str, whole: str) -> Iterator[Mention]:
        words = self._words
        for place, (start, _) in enumerate(words if len(name) <= LONGEST_LEXEME else ()):
            end = start + len(name)
            if whole.startswith(name, start):
                run = [(begins, ends) for begins, ends in words[place : place + MOST_WORDS] if ends <= end]
                if run and run[-1][1] == end and any(self._saying([self._query[slice(*word)] for word in run])):
                    yield Mention(name, start, end)


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
