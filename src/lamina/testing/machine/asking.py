"""What the machine asks, at random: every answer is the model's."""

from __future__ import annotations

from array import array
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.claim import Claim
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.outline import Outline
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import SessionScope
from lamina.domain.scope_cleanup import clean_up
from lamina.domain.selection import Selection
from lamina.domain.terms import label
from lamina.domain.text import folded
from lamina.domain.typology import Typology
from lamina.testing.machine.model import (
    CLAIMS,
    IDS,
    LABELS,
    LEXEMES,
    NUMBERS,
    SELECTIONS,
    WHOSE,
    Modelled,
)
from lamina.testing.machine.writing import SESSIONS, Writing
from lamina.testing.samples import EMBEDDING, outline_of, vector


class Asking(Writing, Modelled):
    """Every way to ask."""

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

    @rule(whose=WHOSE, query=LEXEMES, selection=SELECTIONS, limit=st.integers(1, 15))
    def matching(self, whose: Anchor, query: list[str], selection: Selection, limit: int) -> None:
        """BM25 to the last bit, and the best of it."""
        words = {id_: words for (of, id_), words in self.words.items() if of == whose and words}
        containing = {lexeme: sum(lexeme in said for said in words.values()) for lexeme in query}
        weighing = weigh(query, Counts(len(words), sum(map(len, words.values())), containing))
        scores = {
            id_: weighing.score({lexeme: said.count(lexeme) for lexeme in said}, len(said))
            for id_, said in words.items()
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

    @rule(whose=WHOSE, ids=st.sets(st.sampled_from(IDS)), reach=st.integers(1, 3), selection=SELECTIONS)
    def neighbours(self, whose: Anchor, ids: set[MemoryId], reach: int, selection: Selection) -> None:
        """Those beside them in their session."""
        there, beside = self.of(whose), self.selected(whose, selection)
        expected: dict[MemoryId, dict[MemoryId, int]] = {}
        for id_ in ids & there.keys():
            for other, one in beside.items():
                mine, theirs = there[id_].origin, one.origin
                if other == id_ or not mine or not theirs or mine.session_id != theirs.session_id:
                    continue
                if abs(mine.position - theirs.position) <= reach:
                    expected.setdefault(id_, {})[other] = abs(mine.position - theirs.position)
        for found in self.answers(whose, lambda unit: unit.candidates.neighbours(sorted(ids), reach, selection)):
            assert found == expected

    @rule(
        whose=WHOSE,
        ids=st.sets(st.sampled_from(IDS)),
        labels=LABELS,
        reach=st.integers(1, 3),
        selection=SELECTIONS,
    )
    def outlines(
        self, whose: Anchor, ids: set[MemoryId], labels: dict[str, str], reach: int, selection: Selection
    ) -> None:
        """What ranking looks at, of them and of those beside them."""
        there = self.of(whose)
        asked = {there[id_].origin: id_ for id_ in ids & there.keys() if there[id_].origin}
        around = {
            id_
            for id_, one in there.items()
            for other in asked
            if one.origin and other and one.origin.session_id == other.session_id
            if abs(one.origin.position - other.position) <= reach
        }
        taken = self.selected(whose, selection)
        expected = {id_: self._outlined(whose, taken[id_], labels) for id_ in (ids | around) & taken.keys()}
        terms = [label(*one) for one in labels.items()]
        for found in self.answers(
            whose, lambda unit: unit.candidates.outlines([(sorted(ids), terms)], reach, selection)
        ):
            assert {one.id: one for one in found[0]} == expected

    def _outlined(self, whose: Anchor, one: MemoryRecord, labels: dict[str, str]) -> Outline:
        share = sum(one.tags.get(key) == value for key, value in labels.items()) / max(len(labels), 1)
        confirmed = [said.corroborated_at for said in self.spoken.get((whose, one.id), []) if said.confirms]
        return outline_of(one, share, max(confirmed, default=None))._replace(confirmations=len(confirmed))

    @rule(whose=WHOSE, labels=LABELS)
    def mentioned(self, whose: Anchor, labels: dict[str, str]) -> None:
        """Which values some tag has."""
        values = sorted({folded(value) for value in labels.values()} | {"nowhere"})
        there = {folded(value) for one in self.of(whose).values() for value in one.tags.values()}
        for found in self.answers(whose, lambda unit: unit.candidates.mentioned(values)):
            assert found == there & set(values)

    @rule(whose=WHOSE, claim=CLAIMS, typology=st.sampled_from(Typology))
    def with_claim(self, whose: Anchor, claim: Claim, typology: Typology) -> None:
        """The live claims of one matter, in the order of time."""
        line = [one for one in self.line(whose, typology) if one.claim and one.claim.key == claim.key]
        expected = sorted(line, key=lambda one: (one.validity.valid_at, one.id))
        for found in self.answers(whose, lambda unit: unit.records.with_claim(typology, claim.key)):
            assert found == expected

    @rule(whose=WHOSE, status=st.sampled_from(ContradictionStatus), limit=st.integers(1, 6))
    def contradictions(self, whose: Anchor, status: ContradictionStatus, limit: int) -> None:
        """Those that have come so far, oldest first."""
        mine = [one for (of, _), one in self.doubts.items() if of == whose and one.status is status]
        expected = sorted(mine, key=lambda one: (one.observed_at, one.id))[:limit]
        for found in self.answers(whose, lambda unit: unit.contradictions.with_status(status, limit)):
            assert found == expected

    @rule(whose=WHOSE, session=st.sampled_from(SESSIONS))
    def standing(self, whose: Anchor, session: SessionId) -> None:
        """What a session would leave behind."""
        scope = SessionScope(whose, session)
        mine = {id_ for id_, one in self.of(whose).items() if one.scope == scope}
        expected = sorted(id_ for id_ in mine if not self._is_held(whose, id_, mine))
        for found in self.answers(whose, lambda unit: clean_up(unit.scope_cleanup.contents(scope))):
            assert sorted(found.removed) == expected

    @rule()
    def maintain(self) -> None:
        """Maintenance changes nothing that anybody can see."""
        for store in self.stores:
            while store.maintain(3):
                pass

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
