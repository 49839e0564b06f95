"""What the machine searches for, at random: every answer is the model's."""

from __future__ import annotations

from array import array
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import Counts, Weighing, weigh
from lamina.domain.ids import MemoryId
from lamina.domain.selection import Selection
from lamina.testing.machine.model import IDS, LABELS, LEXEMES, NUMBERS, SELECTIONS, WHOSE
from lamina.testing.machine.provenance import Provenance
from lamina.testing.samples import EMBEDDING, vector


class Searching(Provenance):
    """Every signal."""

    tolerance: ClassVar[float] = 1e-5

    @rule(whose=WHOSE, numbers=NUMBERS, selection=SELECTIONS, limit=st.integers(1, 15))
    def nearest(self, whose: Anchor, numbers: tuple[int, ...], selection: Selection, limit: int) -> None:
        """The nearest are the nearest, and there are as many as there can be."""
        query = array("f", vector(*numbers))
        cosines = self.cosines(whose, query, selection)
        for found in self.answers(
            whose, lambda unit: dict(unit.candidates.nearest(query.tobytes(), EMBEDDING.model, selection, limit))
        ):
            assert len(found) == min(limit, len(cosines))
            assert all(abs(score - cosines[id_]) < self.tolerance for id_, score in found.items())
            left = [score for id_, score in cosines.items() if id_ not in found]
            assert not left or min(found.values()) > max(left) - self.tolerance

    @rule(whose=WHOSE, ids=st.sets(st.sampled_from(IDS)))
    def vectors_of(self, whose: Anchor, ids: set[MemoryId]) -> None:
        """As they went in."""
        expected = {id_: vector(*self.vectors[whose, id_]) for id_ in ids if (whose, id_) in self.vectors}
        for found in self.answers(whose, lambda unit: dict(unit.candidates.vectors(sorted(ids)))):
            assert found == expected

    @rule(whose=WHOSE, query=LEXEMES, selection=SELECTIONS, limit=st.integers(1, 15))
    def matching(self, whose: Anchor, query: list[str], selection: Selection, limit: int) -> None:
        """BM25 to the last bit, and the best of it."""
        weighing = self.weighing(whose, query)
        scores = {
            id_: weighing.score({lexeme: said.count(lexeme) for lexeme in said}, len(said))
            for id_, said in self.saying(whose).items()
            if set(said) & set(query) and id_ in self.selected(whose, selection)
        }
        expected = self._foremost(whose, scores, limit)
        for found in self.answers(whose, lambda unit: dict(unit.candidates.matching(query, selection, limit))):
            assert found == expected

    @rule(whose=WHOSE, labels=LABELS, selection=SELECTIONS, limit=st.integers(1, 15))
    def tagged(self, whose: Anchor, labels: dict[str, str], selection: Selection, limit: int) -> None:
        """Labels agree or they do not."""
        scores = {
            id_: sum(one.tags.get(key) == value for key, value in labels.items()) / len(labels)
            for id_, one in self.selected(whose, selection).items()
            if set(one.tags.items()) & set(labels.items())
        }
        expected = self._foremost(whose, scores, limit)
        for found in self.answers(whose, lambda unit: dict(unit.candidates.tagged(labels, selection, limit))):
            assert found == expected

    @rule(whose=WHOSE, selection=SELECTIONS, limit=st.integers(1, 15))
    def newest(self, whose: Anchor, selection: Selection, limit: int) -> None:
        """What became true last."""
        times = {id_: one.validity.valid_at.timestamp() for id_, one in self.selected(whose, selection).items()}
        expected = self._foremost(whose, times, limit)
        for found in self.answers(whose, lambda unit: dict(unit.candidates.newest(selection, limit))):
            assert found == expected

    def weighing(self, whose: Anchor, query: list[str]) -> Weighing:
        """What the words of a query weigh in an anchor."""
        words = self.saying(whose)
        containing = {lexeme: sum(lexeme in said for said in words.values()) for lexeme in query}
        return weigh(query, Counts(len(words), sum(map(len, words.values())), containing))

    def saying(self, whose: Anchor) -> dict[MemoryId, list[str]]:
        """The records of an anchor that have words, each with them."""
        return {id_: words for (of, id_), words in self.words.items() if of == whose and words}

    def cosines(self, whose: Anchor, query: array[float], selection: Selection) -> dict[MemoryId, float]:
        """What is searched, and how near it is."""
        return {
            id_: sum(a * b for a, b in zip(query, array("f", vector(*self.vectors[whose, id_])), strict=True))
            for id_ in self.selected(whose, selection)
            if (whose, id_) in self.vectors
        }

    def _foremost(self, whose: Anchor, scores: dict[MemoryId, float], limit: int) -> dict[MemoryId, float]:
        """The best; among equals what became true last, then by id."""
        there = self.of(whose)
        ordered = sorted(scores, key=lambda id_: (-scores[id_], -there[id_].validity.valid_at.timestamp(), id_))
        return {id_: scores[id_] for id_ in ordered[:limit]}
