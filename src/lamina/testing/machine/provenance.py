"""What the machine writes about records, at random: who spoke for them, what was decided, what they refer to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import ContradictionId, CorroborationId, DecisionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import ActionLink, RuleRef
from lamina.testing.machine.model import DAYS, IDS, NAMES, WHOSE
from lamina.testing.machine.writing import RULES, Writing
from lamina.testing.samples import record, uuid
from lamina.testing.strategies import corroborations


class Provenance(Writing):
    """Every way to write about records."""

    @rule(data=st.data(), one=corroborations(), number=st.integers(0, 20))
    @precondition(lambda self: self.records)
    def corroborate(self, data: st.DataObject, one: Corroboration, number: int) -> None:
        """A corroboration, some by another record."""
        key = self._any(data)
        source = data.draw(st.none() | st.just(self._any(data)))
        given = replace(one, id=CorroborationId(uuid(f"corroboration {number}")), memory_id=key[1])
        if source:
            given = replace(given, source_ref=source[1])
        taken = any(
            given.id == said.id for (whose, _), heard in self.spoken.items() if whose == key[0] for said in heard
        )
        if self.everywhere(key[0], lambda unit: unit.corroborations.add([given]), "DuplicateId" if taken else None):
            self.spoken.setdefault(key, []).append(given)

    @rule(data=st.data(), number=st.integers(0, 5), at=DAYS)
    @precondition(lambda self: self.records)
    def contradict(self, data: st.DataObject, number: int, at: Any) -> None:
        """Two records do not fit together, or a record and a rule; the other may be nowhere."""
        whose, id_ = self._any(data)
        other = data.draw(st.sampled_from([record(name).id for name in NAMES]) | st.sampled_from(RULES))
        opened = Contradiction(
            id=ContradictionId(uuid(f"doubt {number}")),
            memory_id=id_,
            against=other,
            history=(StatusChange(ContradictionStatus.OPEN, at, "noticed — ✓"),),
        )
        taken = (whose, opened.id) in self.doubts
        missing = self._missing(whose, other)
        if taken and missing:
            return
        expected = "DuplicateId" if taken else missing
        if self.everywhere(whose, lambda unit: unit.contradictions.add([opened]), expected):
            self.doubts[whose, opened.id] = opened

    @rule(data=st.data(), status=st.sampled_from(ContradictionStatus), at=DAYS)
    @precondition(lambda self: self.doubts)
    def move(self, data: st.DataObject, status: ContradictionStatus, at: Any) -> None:
        """One step on, and the same step again."""
        key = data.draw(st.sampled_from(sorted(self.doubts, key=str)))
        moved = self.doubts[key].move(status, at, f"now {status}")
        if isinstance(moved, Contradiction):
            self.everywhere(key[0], lambda unit: unit.contradictions.move(moved))
            self.everywhere(key[0], lambda unit: unit.contradictions.move(moved), "StaleRecord")
            self.doubts[key] = moved

    @rule(data=st.data(), ref=st.sampled_from(["7", "règle"]), at=DAYS)
    @precondition(lambda self: self.records)
    def link(self, data: st.DataObject, ref: str, at: Any) -> None:
        """An action is justified by a record; a link that is there stays as it was."""
        whose, id_ = self._any(data)
        given = ActionLink("rule_promotion", ref, id_, at)
        self.everywhere(whose, lambda unit: unit.action_links.add([given]))
        self.links.setdefault((whose, ref, id_), given)

    @rule(whose=WHOSE, number=st.integers(0, 5), at=DAYS, ids=st.lists(st.sampled_from(IDS), unique=True, max_size=3))
    def decide(self, whose: Anchor, number: int, at: Any, ids: list[MemoryId]) -> None:
        """A decision about some records, which need not be there any more, or about none."""
        added = Outcome(Decision.ADD, tuple(ids), "observed — ✓") if ids else None
        outcome = added or Outcome(Decision.REFUSED, (), "zu viel", "write-policy")
        given = DecisionEntry(DecisionId(uuid(f"decision {number}")), "observe", at, outcome)
        key = (whose, given.id)
        expected = "DuplicateId" if key in self.decided else None
        if self.everywhere(whose, lambda unit: unit.decisions.add([given]), expected):
            self.decided[key] = given

    @rule(data=st.data(), refs=st.lists(st.sampled_from(RULES), min_size=1))
    @precondition(lambda self: self.records)
    def refer(self, data: st.DataObject, refs: list[RuleRef]) -> None:
        """A record refers to rules, some of them twice; all must be there."""
        key = self._any(data)
        expected = next(filter(None, (self._missing(key[0], ref) for ref in refs)), None)
        if self.everywhere(key[0], lambda unit: unit.rule_references.add(key[1], refs), expected):
            self.referred.setdefault(key, set()).update(refs)
