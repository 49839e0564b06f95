"""How well the words of a text answer the words of a query (P5, lexical): BM25.

Every store counts; the weights are worked out here. A store then adds up, in the order of the weights and as doubles,

    weight * tf / (tf + (flat + slope * length))

for each lexeme that a record has. Nothing in that is left to a library, so every store gives the same score, to the
last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.outline import Column

K1: Final = 1.2
"""How soon saying a word again adds nothing."""
B: Final = 0.75
"""How much a long text is held against it."""

Having = tuple[Column, Column]
"""The documents that have a lexeme: the place of each, and how often it has it."""
MOST_WEIGHED: Final = 256
"""Lexemes of a query that are looked for, the heaviest: a query is a question, or a paragraph at the most."""
NO_FORMS: Final[Mapping[str, Sequence[str]]] = {}
ALSO_A_LABEL: Final = 0.5
"""How much of a word counts that is also asked for as a label: the other half of what it asks, the label answers."""


class WordByWord(NamedTuple):
    """What the words of a query add, one by one: to which candidate, which of the words, and how much."""

    places: Column
    words: Column
    added: Column

    def scores(self, count: int) -> Column:
        """The sums, of so many candidates: they add up one after another, in the order of the weights."""
        return np.bincount(self.places, self.added, count)

    def moved(self, to: Column) -> WordByWord:
        """The same where candidates go by other places; whoever has none is left out."""
        places = to[self.places]
        (there,) = (places >= 0).nonzero()
        return WordByWord(places[there], self.words[there], self.added[there])


NO_WORDS: Final = WordByWord(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0))


class Counts(NamedTuple):
    """What a store counts in one anchor: its documents, their lexemes, and who has which lexeme of a query."""

    documents: int
    total_length: int
    containing: Mapping[str, int]


def counted_together(several: Sequence[Counts]) -> Counts:
    """What is counted in several anchors, as if they were one."""
    containing = Counter[str]()
    for one in several:
        containing.update(one.containing)
    return Counts(sum(one.documents for one in several), sum(one.total_length for one in several), containing)


@dataclass(frozen=True, slots=True)
class Weighing:
    """What each lexeme of a query weighs, in the order of addition, and what a document's length takes off."""

    weights: Mapping[str, float]
    flat: float
    slope: float

    def addition(self, lexeme: str, tf: int, length: int) -> float:
        """What one lexeme adds to the score of a document that has it."""
        return self.weights[lexeme] * tf / (tf + (self.flat + self.slope * length))

    def additions(self, words: Column, frequencies: Column, lengths: Column) -> Column:
        """The same for many: which of the lexemes it is, how often it is there, and in how long a document."""
        weights = np.array(list(self.weights.values()))[words]
        added: Column = weights * frequencies / (frequencies + (self.flat + self.slope * lengths))
        return added

    def word_by_word(self, having: Sequence[Having], lengths: Column) -> WordByWord:
        """The same for documents that go by their places among the lengths: for each weight, who has it."""
        if not having:
            return NO_WORDS
        # As numpy finds places, and adds up: a store keeps them smaller.
        places = np.concatenate([here for here, _ in having], dtype=np.intp)
        frequencies = np.concatenate([times for _, times in having], dtype=np.float64)
        words = np.arange(len(having)).repeat([len(here) for here, _ in having])
        return WordByWord(places, words, self.additions(words, frequencies, lengths[places]))

    def score(self, frequencies: Mapping[str, int], length: int) -> float:
        """The whole score of a document: what every store's own sum is equal to."""
        score = 0.0
        # Not sum(): newer Pythons make up for what is lost to rounding, and no database does.
        for lexeme in self.weights:
            if lexeme in frequencies:
                score += self.addition(lexeme, frequencies[lexeme], length)
        return score


def weigh(
    query: Sequence[str],
    counts: Counts,
    forms: Mapping[str, Sequence[str]] = NO_FORMS,
    labels: Container[str] = (),
) -> Weighing:
    """The weights of a query's lexemes and of other forms of them, the heaviest if they are many; one that no document
    has is left out. `labels` are the lexemes of what the query names, and is asked for as labels too."""
    asked: dict[str, float] = {}
    for lexeme in query:
        asked[lexeme] = asked.get(lexeme, 0) + (ALSO_A_LABEL if lexeme in labels else 1)
    weights: dict[str, float] = {}
    for lexeme, times in asked.items():
        rarity = _rarity(counts, lexeme)
        weights[lexeme] = max(times * (K1 + 1) * rarity, weights.get(lexeme, 0.0))
        for other in forms.get(lexeme, ()):
            # No more than the word itself: that somebody put it so seldom does not make it say more.
            weight = times * (K1 + 1) * min(rarity, _rarity(counts, other))
            weights[other] = max(weight, weights.get(other, 0.0))
    there = sorted(lexeme for lexeme in weights if counts.containing.get(lexeme, 0))
    if len(there) > MOST_WEIGHED:
        there = sorted(nsmallest(MOST_WEIGHED, there, key=lambda lexeme: (-weights[lexeme], lexeme)))
    weights = {lexeme: weights[lexeme] for lexeme in there}
    # Only what has lexemes is counted, so the average is never nothing where there is something to weigh.
    average = counts.total_length / counts.documents if counts.total_length else 1.0
    return Weighing(weights, flat=K1 * (1 - B), slope=K1 * B / average)


def _rarity(counts: Counts, lexeme: str) -> float:
    containing = counts.containing.get(lexeme, 0)
    return log(1 + (counts.documents - containing + 0.5) / (containing + 0.5))
