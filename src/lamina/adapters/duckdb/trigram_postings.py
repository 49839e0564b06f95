"""The closest rule by trigrams: postings in numpy, as DuckDB has no trigram index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lamina.adapters.duckdb.arrays import Array
from lamina.domain.trigram import overlap, trigrams
from lamina.ports.canonical_rules import Rule


class TrigramPostings:
    """For each trigram, the rules that have it; counting shared trigrams is then one bincount."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        sets = [np.fromiter(trigrams(rule.body), dtype=np.int64) for rule in rules]
        self._sizes = np.array([len(one) for one in sets], dtype=np.int64)
        keys = np.concatenate(sets) if sets else np.empty(0, dtype=np.int64)
        owners = np.repeat(np.arange(len(rules)), self._sizes)
        order = np.argsort(keys, kind="stable")
        self._owners = owners[order]
        self._keys, self._starts = np.unique(keys[order], return_index=True)
        self._ends = np.append(self._starts[1:], len(keys))

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        arrays = (self._sizes, self._owners, self._keys, self._starts, self._ends)
        return sum(one.nbytes for one in arrays) + sum(len(rule.body) for rule in self._rules)

    def closest(self, text: str) -> tuple[Rule, float] | None:
        """The most similar rule; among equals the first."""
        if not self._rules:
            return None
        wanted = np.fromiter(trigrams(text), dtype=np.int64)
        shared = np.bincount(self._matching(wanted), minlength=len(self._rules))
        union = len(wanted) + self._sizes - shared
        best = int(np.argmax(shared / np.maximum(union, 1)))
        return self._rules[best], overlap(int(shared[best]), len(wanted), int(self._sizes[best]))

    def _matching(self, wanted: Array) -> Array:
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        hits = places[self._keys[places] == wanted] if len(self._keys) else places[:0]
        runs = [self._owners[self._starts[hit] : self._ends[hit]] for hit in hits]
        return np.concatenate(runs) if runs else np.empty(0, dtype=np.int64)
