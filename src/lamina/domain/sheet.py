"""All of a small anchor that a recall looks at, on one sheet: it is read at once, and searched here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lamina.domain.bm25 import NO_WORDS, Counts, Having, WordByWord
from lamina.domain.foremost import best
from lamina.domain.fusion import Said
from lamina.domain.outline import NOWHERE, Column, Outlines, places_among
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal


class Wanted(NamedTuple):
    """What is asked of a sheet: how near each record is, and which have these terms."""

    vector: bytes | None
    model: str
    terms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What may be found, by columns. Records go by the places of their outlines."""

    outlines: Outlines
    versions: Column
    near: Said
    """How near each is that has a vector."""
    having: Mapping[str, Having]
    """The records that have each of the terms that were asked for."""
    lengths: Column
    """In lexemes; 0 where none of the terms is."""
    counts: Counts
    """How many have each, whether they may be found or not."""

    def draw(self, one: Search, reach: int) -> tuple[Drawn, Column]:
        """What the signals find, with the outlines of that and of what stands beside it; and which places these are."""
        words = self._word_by_word(one)
        found = self._found(one, words)
        newest = [self._newest(one.newest).places] if one.newest else []
        places = self._around([*(some.places for some in found.values()), *newest], reach)
        outlines = Outlines(self.outlines.numbers, self._shares(one.labels)).only(places)
        drawn_as = places_among(places, len(self.outlines))
        said = {signal: Said(drawn_as[some.places], some.scores) for signal, some in found.items()}
        return Drawn(outlines, said, words.moved(drawn_as)), places

    def _found(self, one: Search, words: WordByWord) -> dict[Signal, Said]:
        found = {}
        if one.vector is not None:
            found[Signal.SEMANTIC] = self._best(self.near, one.limit)
        if one.weighing:
            found[Signal.LEXICAL] = self._best(_scored(words.scores(len(self.outlines))), one.limit)
        if one.finding:
            found[Signal.TAGS] = self._best(_scored(self._shares(one.finding)), one.limit)
        return found

    def _word_by_word(self, one: Search) -> WordByWord:
        if not one.weighing:
            return NO_WORDS
        return one.weighing.word_by_word([self.having[lexeme] for lexeme in one.weighing.weights], self.lengths)

    def _shares(self, labels: Sequence[str]) -> Column:
        """For every record, the share of these labels that it has."""
        shares: Column = np.zeros(len(self.outlines))
        for label in labels:
            if label in self.having:
                shares[self.having[label][0]] += 1
        return shares / max(len(labels), 1)

    def _newest(self, limit: int) -> Said:
        return self._best(Said(np.arange(len(self.outlines)), self.outlines.valid_at), limit)

    def _best(self, said: Said, limit: int) -> Said:
        """The best of them; among equals what became true last, then by id."""
        places, scores = np.asarray(said.places), np.asarray(said.scores)
        if len(places) <= limit:
            return said
        chosen = best(limit, scores, lambda tied: self._ties(places[tied]))
        return Said(places[chosen], scores[chosen])

    def _ties(self, places: Column) -> tuple[Column, ...]:
        return self.outlines.valid_at[places], *self.outlines.ids.lowest_first(places)

    def _around(self, several: Sequence[Column | Sequence[int]], reach: int) -> Column:
        """The places of some records, and of what was first observed beside them, in order."""
        spots, chosen = self.outlines.spots, np.zeros(len(self.outlines), dtype=np.bool_)
        for some in several:
            chosen[some] = True
        stood = spots[chosen & (spots != NOWHERE)]
        if len(stood):
            near = np.sort((stood[:, None] + np.arange(-reach, reach + 1)).ravel())
            met = near[np.minimum(near.searchsorted(spots), len(near) - 1)] == spots
            chosen |= met & (spots != NOWHERE)
        return np.flatnonzero(chosen)


def _scored(scores: Column) -> Said:
    places = np.flatnonzero(scores)
    return Said(places, scores[places])
