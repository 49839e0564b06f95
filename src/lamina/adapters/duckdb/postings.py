"""Which records have which term, and how often: what words and labels are found by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array, Growing
from lamina.adapters.duckdb.arrivals import Documents
from lamina.adapters.duckdb.shelf_rows import Found
from lamina.domain.bm25 import Counts, Weighing, WordByWord
from lamina.domain.mentions import Mentions
from lamina.domain.terms import mention_of, mentioned_by

_FEWEST_TO_SORT: Final = 1 << 15
_LOOKING, _SORTING = 6_000, 40
"""About how many nanoseconds it takes to look through a tail, but for its length, and to sort one entry in."""


_NOWHERE: Final = (np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))


class Vocabulary(dict[str, int]):
    """A number for each term, given when it is first met."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        """Those that stand for the value of a tag, each as that value."""

    def __missing__(self, term: str) -> int:
        if (name := mentioned_by(term)) is not None:
            self.names.add(name)
        return self.setdefault(term, len(self))


class Postings:
    """Sorted by term, but for a tail of what came last: it is sorted in when it is a fifth of the whole, or when
    to look through it has taken as long as that does."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._lengths = Growing(np.int32)
        self._gone = Growing(np.bool_)
        self._any_gone = False
        self._counted: dict[str, tuple[Array, Array]] = {}
        self._documents = self._total_length = 0
        self._starts: Array = np.zeros(1, dtype=np.int64)
        self._places: Array = np.empty(0, dtype=np.int32)
        self._frequencies: Array = np.empty(0, dtype=np.int32)
        self._begin_tail()

    @property
    def nbytes(self) -> int:
        """What they take in memory; a term with its number takes about a hundred bytes."""
        sorted_in = self._starts.nbytes + self._places.nbytes + self._frequencies.nbytes
        return sorted_in + sum(one.nbytes for one in self._tail) + self._lengths.nbytes + 100 * len(self._vocabulary)

    def append(self, documents: Documents) -> None:
        """Adds the document of each new place."""
        self._counted.clear()
        first, sizes, lengths = len(self._lengths), documents.sizes(), np.asarray(documents.lengths)
        places: Array = np.repeat(np.arange(first, first + len(sizes), dtype=np.int32), sizes)
        terms = map(self._vocabulary.__getitem__, documents.every_term())
        codes: Array = np.fromiter(terms, dtype=np.int32, count=len(places))
        for column, values in zip(self._tail, (codes, places, documents.every_frequency()), strict=True):
            column.extend(values)
        self._lengths.extend(lengths)
        self._gone.extend(np.zeros(len(lengths), dtype=np.bool_))
        self._documents += int(np.count_nonzero(lengths))
        self._total_length += int(lengths.sum())
        if len(self._tail[0]) > max(_FEWEST_TO_SORT, len(self._places) // 4):
            self._sort_in()

    def remove(self, places: Array) -> None:
        """Counts the documents of these places no more."""
        self._counted.clear()
        lengths = self._lengths.filled[places]
        self._gone.filled[places] = True
        self._any_gone = True
        self._documents -= int(np.count_nonzero(lengths))
        self._total_length -= int(lengths.sum())

    def move(self, moved: Array) -> None:
        """Takes over new places; what has none is gone, and let go of."""
        self._counted.clear()
        self._sort_in()
        self._places = moved[self._places].astype(np.int32)
        kept = np.flatnonzero(moved >= 0)
        self._lengths.keep(kept)
        self._gone.keep(kept)

    def counts(self, lexemes: Sequence[str]) -> Counts:
        """What BM25 is weighed by. Whoever counts goes on to match: what was found is kept until then."""
        self._counted = {lexeme: self._having(lexeme) for lexeme in set(lexemes)}
        containing = {lexeme: len(places) for lexeme, (places, _) in self._counted.items()}
        return Counts(self._documents, self._total_length, containing)

    def word_by_word(self, weighing: Weighing) -> WordByWord:
        """What each lexeme of the query adds to every record that has it."""
        having = [self._counted.get(lexeme) or self._having(lexeme) for lexeme in weighing.weights]
        return weighing.word_by_word(having, self._lengths.filled)

    def matching(self, words: WordByWord) -> Found:
        """Every record that has a lexeme of the query, with the domain's score, to the last bit."""
        scores = words.scores(len(self._lengths))
        (found,) = scores.nonzero()
        return Found(found, scores[found])

    def labelled(self, labels: Sequence[str]) -> Array:
        """For every record, how many of these labels it has."""
        places = [self._having(label)[0] for label in labels]
        together = places[0] if len(places) == 1 else np.concatenate([_NOWHERE[0], *places])
        return np.bincount(together, minlength=len(self._lengths))

    def mentioned(self, possible: Iterable[Mentions]) -> frozenset[str]:
        """What of all that may be named a tag of any record has."""
        known = frozenset[str]().union(*(one.among(self._vocabulary.names) for one in possible))
        return frozenset(value for value in known if len(self._having(mention_of(value))[0]))

    def _having(self, term: str) -> tuple[Array, Array]:
        """The places of the records that have a term, and how often each has it."""
        places, frequencies = self._every(term)
        if not self._any_gone:
            return places, frequencies
        there = ~self._gone.filled[places]
        return places[there], frequencies[there]

    def _every(self, term: str) -> tuple[Array, Array]:
        code = self._vocabulary.get(term)
        if code is None:
            return _NOWHERE
        count = len(self._tail[0])
        if not count:
            return self._early(code)
        self._looked += _LOOKING + count
        if self._looked > _SORTING * (len(self._places) + count):
            self._sort_in()
            return self._early(code)
        early = self._early(code)
        codes, places, frequencies = (column.filled for column in self._tail)
        late = np.flatnonzero(codes == code)
        return np.concatenate([early[0], places[late]]), np.concatenate([early[1], frequencies[late]])

    def _early(self, code: int) -> tuple[Array, Array]:
        """What is sorted in of a term."""
        if code >= len(self._starts) - 1:
            return _NOWHERE
        start, end = self._starts[code : code + 2].tolist()
        return self._places[start:end], self._frequencies[start:end]

    def _sort_in(self) -> None:
        codes, places, frequencies = (column.filled for column in self._tail)
        sorted_codes = np.repeat(np.arange(len(self._starts) - 1, dtype=np.int32), np.diff(self._starts))
        every, places = np.concatenate([sorted_codes, codes]), np.concatenate([self._places, places])
        # Most of it is sorted already, which a stable sort makes use of.
        order = np.argsort(every, kind="stable")
        order = order[~self._gone.filled[places[order]]]
        self._places, every = places[order], every[order]
        self._frequencies = np.concatenate([self._frequencies, frequencies])[order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(every, minlength=len(self._vocabulary)))])
        self._any_gone = False
        self._begin_tail()

    def _begin_tail(self) -> None:
        self._tail = (Growing(np.int32), Growing(np.int32), Growing(np.int32))
        self._looked = 0
