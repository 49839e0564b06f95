"""Which rules a text shares trigrams or phrases with: postings in numpy, as DuckDB has no such index."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from lamina.adapters.duckdb.arrays import Array
from lamina.domain.discipline import FEWEST_PHRASES
from lamina.domain.trigram import overlap, trigrams
from lamina.domain.words import phrases
from lamina.ports.canonical_rules import Rule

Near = tuple[Rule, float]


class RulePostings:
    """The rules of one anchor, by their trigrams (D8) and by their phrases (containment)."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._trigrams = _Postings([trigrams(rule.body) for rule in rules])
        self._phrases = _Postings([_long_enough(_phrases(rule.body)) for rule in rules])

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return self._trigrams.nbytes + self._phrases.nbytes + sum(len(rule.body) for rule in self._rules)

    def closest(self, text: str) -> Near | None:
        """The most similar rule; among equals the first."""
        if not self._rules:
            return None
        wanted = trigrams(text)
        shared, sizes = self._trigrams.shared(wanted), self._trigrams.sizes
        best = int(np.argmax(shared / np.maximum(len(wanted) + sizes - shared, 1)))
        return self._rules[best], overlap(int(shared[best]), len(wanted), int(sizes[best]))

    def most_held(self, text: str) -> Near | None:
        """The rule of which the text holds the largest share of phrases; None if it holds none of any."""
        if not self._rules:
            return None
        shared, sizes = self._phrases.shared(_phrases(text)), self._phrases.sizes
        if not shared.any():
            return None
        best = int(np.argmax(shared / np.maximum(sizes, 1)))
        return self._rules[best], int(shared[best]) / int(sizes[best])


def _phrases(text: str) -> Collection[int]:
    # A hash stands for its phrase within this process.
    return {hash(phrase) for phrase in phrases(text)}


def _long_enough(found: Collection[int]) -> Collection[int]:
    return found if len(found) >= FEWEST_PHRASES else ()


class _Postings:
    """For each key, the rules that have it; counting shared keys is then one bincount."""

    def __init__(self, sets: Sequence[Collection[int]]) -> None:
        arrays = [np.fromiter(one, dtype=np.int64) for one in sets]
        self.sizes = np.array([len(one) for one in arrays], dtype=np.int64)
        keys = np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int64)
        owners = np.repeat(np.arange(len(arrays)), self.sizes)
        order = np.argsort(keys, kind="stable")
        self._owners = owners[order]
        self._keys, self._starts = np.unique(keys[order], return_index=True)
        self._ends = np.append(self._starts[1:], len(keys))

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in (self.sizes, self._owners, self._keys, self._starts, self._ends))

    def shared(self, wanted: Collection[int]) -> Array:
        """How many of the keys each rule has."""
        return np.bincount(self._matching(np.fromiter(wanted, dtype=np.int64)), minlength=len(self.sizes))

    def _matching(self, wanted: Array) -> Array:
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        hits = places[self._keys[places] == wanted] if len(self._keys) else places[:0]
        runs = [self._owners[self._starts[hit] : self._ends[hit]] for hit in hits]
        return np.concatenate(runs) if runs else np.empty(0, dtype=np.int64)
