"""What the machine asks, at random, beside searches: every answer is the model's."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.mentions import Mentions
from lamina.domain.outline import NOWHERE, Outline, Outlines
from lamina.domain.record import MemoryRecord
from lamina.domain.references import RuleRef
from lamina.domain.scope import PersistentScope, SessionScope
from lamina.domain.scope_cleanup import clean_up
from lamina.domain.search import Search
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate
from lamina.domain.terms import label
from lamina.domain.text import folded
from lamina.domain.typology import Typology
from lamina.ports.unit_of_work import UnitOfWork
from lamina.testing.contracts.candidates import by_word
from lamina.testing.machine.model import ANCHORS, CLAIMS, IDS, LABELS, LEXEMES, SELECTIONS, SHADOW, WHOSE
from lamina.testing.machine.searching import Searching
from lamina.testing.machine.writing import RULES, SESSIONS, rule_text
from lamina.testing.samples import SPEC, outline_of, without_spots


class Asking(Searching):
    """Every other way to ask."""

    @rule(
        whose=WHOSE,
        finding=LABELS,
        labels=LABELS,
        words=LEXEMES,
        newest=st.integers(0, 3),
        reach=st.integers(1, 3),
        selection=SELECTIONS,
    )
    def draw(  # noqa: PLR0913, PLR0917 (what a draw is asked)
        self,
        whose: Anchor,
        finding: dict[str, str],
        labels: dict[str, str],
        words: list[str],
        newest: int,
        reach: int,
        selection: Selection,
    ) -> None:
        """What ranking looks at, of what is found and of those beside it."""
        taken = self.selected(whose, selection)
        times = {id_: one.validity.valid_at.timestamp() for id_, one in taken.items()}
        found = {id_ for id_, one in taken.items() if set(one.tags.items()) & set(finding.items())}
        weighing, saying = self.weighing(whose, words), self.saying(whose)
        found |= {id_ for id_ in taken.keys() & saying if set(saying[id_]) & weighing.weights.keys()}
        found |= self._foremost(whose, times, newest).keys()
        stood = [one.origin for id_ in found if (one := taken[id_]).origin]
        around = {
            id_
            for id_, one in taken.items()
            for other in stood
            if one.origin and one.origin.session_id == other.session_id
            if abs(one.origin.position - other.position) <= reach
        }
        expected = [self._outlined(whose, taken[id_], labels) for id_ in found | around]
        terms = [[label(*one) for one in some.items()] for some in (finding, labels)]
        told = {
            id_: {
                number: weighing.addition(word, said.count(word), len(said))
                for number, word in enumerate(weighing.weights)
                if word in said
            }
            for id_ in found | around
            if set(said := saying.get(id_, ())) & weighing.weights.keys()
        }
        search = Search(len(IDS), weighing=weighing, finding=terms[0], labels=terms[1], newest=newest)
        for (drawn,) in self.answers(whose, lambda unit: unit.candidates.draw([search], reach, selection)):
            assert without_spots(drawn.outlines) == without_spots(expected)
            assert by_word(drawn) == told
            self._stand_as_they_were_observed(drawn.outlines, taken)

    @staticmethod
    def _stand_as_they_were_observed(outlines: Outlines, records: Mapping[MemoryId, MemoryRecord]) -> None:
        """Whatever number a session has: beside each other in one, and far apart in two."""
        origins = {one.spot: records[one.id].origin for one in outlines if one.spot != NOWHERE}
        assert all(one.spot == NOWHERE for one in outlines if records[one.id].origin is None)
        starts = {(origin.session_id, at - origin.position) for at, origin in origins.items() if origin}
        assert len(starts) == len({session for session, _ in starts}) == len({start for _, start in starts})

    def _outlined(self, whose: Anchor, one: MemoryRecord, labels: dict[str, str]) -> Outline:
        share = sum(one.tags.get(key) == value for key, value in labels.items()) / max(len(labels), 1)
        confirmed = [said.corroborated_at for said in self.spoken.get((whose, one.id), []) if said.confirms]
        return outline_of(one, share, max(confirmed, default=None))._replace(confirmations=len(confirmed))

    @rule(whose=WHOSE, labels=LABELS)
    def known(self, whose: Anchor, labels: dict[str, str]) -> None:
        """Which values some tag has. What is counted shows in `matching`."""
        possible = [Mentions(value, saying=list) for value in sorted({*labels.values(), "nowhere"})]
        there = {folded(value) for one in self.of(whose).values() for value in one.tags.values()}
        for found in self.answers(whose, lambda unit: unit.candidates.known([], possible)):
            assert found.mentioned == there.intersection(value for one in possible for value in one.values)

    @rule(whose=WHOSE, claim=CLAIMS, typology=st.sampled_from(Typology))
    def with_claim(self, whose: Anchor, claim: Claim, typology: Typology) -> None:
        """The live claims of one matter, in the order of time."""
        line = [one for one in self.line(whose, typology) if one.claim and one.claim.key == claim.key]
        expected = sorted(line, key=lambda one: (one.validity.valid_at, one.id))
        for found in self.answers(whose, lambda unit: unit.records.with_claim(typology, claim.key)):
            assert found == expected

    @rule(whose=WHOSE, claim=CLAIMS, typology=st.sampled_from(Typology))
    def candidates_with_claim(self, whose: Anchor, claim: Claim, typology: Typology) -> None:
        """What is held, in the order in which it came."""
        held = [
            one
            for one in self.of(whose).values()
            if isinstance(one.state, Candidate) and isinstance(one.scope, PersistentScope) and one.typology is typology
        ]
        expected = sorted((one for one in held if one.claim and one.claim.key == claim.key), key=lambda one: one.id)
        for found in self.answers(whose, lambda unit: unit.records.candidates_with_claim(typology, claim.key)):
            assert found == expected

    @rule(whose=WHOSE, session=st.sampled_from(SESSIONS))
    def next_position(self, whose: Anchor, session: SessionId) -> None:
        """Behind the last that was seen in the session, and is there."""
        seen = [one.origin for one in self.of(whose).values() if one.origin and one.origin.session_id == session]
        expected = max((origin.position + 1 for origin in seen), default=0)
        for found in self.answers(whose, lambda unit: unit.records.next_position(session)):
            assert found == expected

    @rule(whose=WHOSE, counts=st.lists(st.integers(15, 20), max_size=3))
    def of_rules(self, whose: Anchor, counts: list[int]) -> None:
        """Each text's closest rule, and whether it is copied: by counting words."""
        texts = [rule_text(count) for count in counts]
        nearest = [max(self.similarities(whose, text), default=None) for text in texts]
        there = set(RULES[: len(self.canon.get(whose, []))])
        for closest, copied, known in self.answers(whose, lambda unit: _of_rules(unit, texts)):
            assert [one and one[1] for one in closest] == [None if near is None else _real(near) for near in nearest]
            assert [one and one[1] for one in copied] == [
                _real(near) if near is not None and near > SHADOW else None for near in nearest
            ]
            assert known == there

    @rule()
    def anchors(self) -> None:
        """Those that have memory; one that had some may be listed still."""
        have = {whose for whose, _ in self.records}
        for store in self.stores:
            listed = store.anchors(SPEC.persistent_anchor.pattern({"org_id": "acme"}))
            assert have <= set(listed) <= set(ANCHORS)
            assert listed == sorted(listed, key=lambda one: one.parts)

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


def _of_rules(unit: UnitOfWork, texts: list[str]) -> tuple[list[Any], list[Any], set[RuleRef]]:
    return (
        [unit.rules.closest(text) for text in texts],
        unit.rules.copied_by(texts),
        {one.ref for one in unit.rules.get(RULES)},
    )


def _real(similarity: Fraction) -> float:
    """As PostgreSQL's real has it."""
    return array("f", [float(similarity)])[0]
