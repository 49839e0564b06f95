"""All of an anchor that searches look at, in numpy: what a selection asks for, the vectors and the terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array
from lamina.adapters.duckdb.arrivals import Arrivals
from lamina.adapters.duckdb.postings import Postings
from lamina.adapters.duckdb.shelf_columns import microseconds
from lamina.adapters.duckdb.shelf_rows import NONE, Found, ShelfRows
from lamina.adapters.duckdb.vectors import Vectors
from lamina.domain.bm25 import NO_WORDS, Counts, WordByWord, weigh
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.mentions import Mentions
from lamina.domain.outline import places_among
from lamina.domain.record import MemoryRecord
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.terms import label

WORN: Final = 0.2
"""The share that may be gone: every search goes through it too."""


class Shelf:
    """One anchor's searchable memory."""

    def __init__(self, dimension: int) -> None:
        self._rows = ShelfRows()
        self._vectors = Vectors(dimension)
        self._postings = Postings()

    @property
    def size(self) -> int:
        """How many records it has; some may be gone."""
        return len(self._rows)

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self._rows.nbytes + self._vectors.nbytes + self._postings.nbytes

    def append(self, new: Arrivals) -> None:
        """Adds records at the end."""
        first = len(self._rows)
        self._rows.append(new.columns)
        self._vectors.append(new.vectors, first + np.flatnonzero(new.have_vectors))
        self._postings.append(new.documents)

    def change(self, record: MemoryRecord) -> None:
        """Takes over a transition."""
        self._rows.change(record)

    def confirm(self, id_: MemoryId, at: datetime) -> None:
        """Takes over a confirmation."""
        self._rows.confirm(id_, microseconds(at))

    def remove(self, ids: Sequence[MemoryId]) -> None:
        """Lets go of records whose scope has ended; if much of the shelf is gone, the rest moves together."""
        self._postings.remove(self._rows.remove(ids))
        if self._rows.share_gone > WORN:
            moved = self._rows.compact()
            self._vectors.move(moved)
            self._postings.move(moved)

    def taken(self, selection: Selection) -> Array:
        """For each record, whether the selection takes it."""
        return self._rows.taken(selection)

    def nearest(self, vector: bytes, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The most similar records that the selection takes."""
        return self._rows.named(self._nearest(vector, self.taken(selection), limit))

    def vectors(self, ids: Iterable[MemoryId]) -> dict[MemoryId, bytes]:
        """The vectors of these records, for each that has one."""
        found = {id_: self._vectors.at(place) for id_ in ids for place in self._rows.places_of([id_])}
        return {id_: vector for id_, vector in found.items() if vector is not None}

    def counts(self, lexemes: Sequence[str]) -> Counts:
        """How many records have each of the lexemes."""
        return self._postings.counts(lexemes)

    def mentioned(self, possible: Iterable[Mentions]) -> frozenset[str]:
        """What of all that may be named a tag of any record has."""
        return self._postings.mentioned(possible)

    def matching(self, lexemes: Sequence[str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that answer the words best, of those that the selection takes."""
        words = self._postings.word_by_word(weigh(lexemes, self.counts(lexemes)))
        return self._rows.named(self._matching(words, self.taken(selection), limit))

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> dict[MemoryId, float]:
        """The records that share most labels, of those that the selection takes."""
        labels = [label(*tag) for tag in tags.items()]
        return self._rows.named(self._labelled(labels, self.taken(selection), limit))

    def newest(self, selection: Selection, limit: int) -> dict[MemoryId, float]:
        """What became true last, in seconds since 1970."""
        latest = self._rows.named(self._rows.newest(self.taken(selection), limit))
        return {id_: at / 1_000_000 for id_, at in latest.items()}

    def draw(self, one: Search, reach: int, taken: Array) -> Drawn:
        """What the signals find of what is taken, with the outlines of that and of what stands beside it."""
        words = self._postings.word_by_word(one.weighing) if one.weighing else NO_WORDS
        found = self._found(one, words, taken)
        newest = self._rows.newest(taken, one.newest) if one.newest else NONE
        places = self._rows.around([some.places for some in (*found.values(), newest)], reach, taken)
        drawn_as = places_among(places, len(taken))
        said = {signal: Said(drawn_as[some.places], some.scores) for signal, some in found.items()}
        labelled = self._postings.labelled(one.labels)[places] / max(len(one.labels), 1)
        outlines = self._rows.outlines(places, labelled)
        return Drawn(outlines, said, words.moved(drawn_as))

    def _found(self, one: Search, words: WordByWord, taken: Array) -> dict[Signal, Found]:
        found: dict[Signal, Found] = {}
        if one.vector is not None:
            found[Signal.SEMANTIC] = self._nearest(one.vector, taken, one.limit)
        if one.weighing:
            found[Signal.LEXICAL] = self._matching(words, taken, one.limit)
        if one.finding:
            found[Signal.TAGS] = self._labelled(one.finding, taken, one.limit)
        return found

    def _nearest(self, vector: bytes, taken: Array, limit: int) -> Found:
        return self._rows.best(self._vectors.near(vector, taken), limit)

    def _matching(self, words: WordByWord, taken: Array, limit: int) -> Found:
        return self._rows.best(self._postings.matching(words).of(taken), limit)

    def _labelled(self, labels: Sequence[str], taken: Array, limit: int) -> Found:
        labelled = self._postings.labelled(labels)
        (places,) = labelled.nonzero()
        return self._rows.best(Found(places, labelled[places] / len(labels)).of(taken), limit)
