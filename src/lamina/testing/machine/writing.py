"""What the machine writes, at random: some ids are taken, some claims clash, some bodies copy a rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.corroboration import Corroboration
from lamina.domain.ids import ContradictionId, CorroborationId, SessionId
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.references import ActionLink
from lamina.domain.scope import PersistentScope, SessionScope
from lamina.domain.transitions import archive, exempt, invalidate, restore, supersede
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.machine.model import (
    CLAIMS,
    DAYS,
    LABELS,
    LEXEMES,
    NAMES,
    NUMBERS,
    RULE_WORDS,
    WHOSE,
    Key,
    Modelled,
)
from lamina.testing.samples import DAY, entry, record, uuid
from lamina.testing.samples import rule as canonical_rule
from lamina.testing.strategies import corroborations

SESSIONS = [SessionId(uuid(name)) for name in ("morning", "evening")]


@st.composite
def new_records(draw: st.DrawFn) -> MemoryRecord:
    """Records of a few names, matters and sessions, some backdated; some bodies lie at the threshold of a rule."""
    whose, valid_at = draw(WHOSE), draw(DAYS)
    lasts, session = draw(st.none() | st.integers(0, 4)), draw(st.none() | st.sampled_from(SESSIONS))
    origin = Origin(session, None, draw(st.integers(0, 5))) if session else None
    copied = draw(st.none() | st.integers(15, 20))
    return record(
        draw(st.sampled_from(NAMES)),
        whose,
        scope=SessionScope(whose, session) if session and draw(st.booleans()) else PersistentScope(whose),
        typology=draw(st.sampled_from(Typology)),
        claim=draw(st.none() | CLAIMS),
        validity=Validity(valid_at, None if lasts is None else valid_at + lasts * DAY),
        tags=Tags(draw(LABELS)),
        origin=origin,
        **({"body": " ".join(RULE_WORDS[:copied][:: draw(st.sampled_from([1, -1]))]) + "." * 60} if copied else {}),
    )


class Writing(Modelled):
    """Every way to write."""

    @rule(new=new_records(), numbers=st.none() | NUMBERS, lexemes=LEXEMES)
    def add(self, new: MemoryRecord, numbers: tuple[int, ...] | None, lexemes: list[str]) -> None:
        """A record of any cell, with or without a vector."""
        given = entry(new, *(numbers or ()), lexemes=lexemes)
        key = (new.scope.anchor, new.id)
        expected = self.shadows(new) or ("DuplicateId" if key in self.records else self.clash(given.record))
        if self.everywhere(new.scope.anchor, lambda unit: unit.records.add([given]), expected):
            self.records[key] = given.record
            self.words[key] = lexemes
            if numbers:
                self.vectors[key] = numbers

    @rule(data=st.data(), at=DAYS)
    @precondition(lambda self: self.records)
    def change(self, data: st.DataObject, at: Any) -> None:
        """Any transition, of any record, by any other."""
        key, other = self._any(data), self.records[self._any(data)]
        one = self.records[key]
        transitions = [
            archive(one, at, "stale"),
            exempt(one, at, "a landmark"),
            supersede(one, other, at),
            invalidate(one, at, at, "reversed", by=other),
            restore(one),
        ]
        changed = data.draw(st.sampled_from(transitions))
        if isinstance(changed, MemoryRecord):
            if self.everywhere(key[0], lambda unit: unit.records.change(changed), self.clash(changed)):
                self.records[key] = changed
            stale = replace(changed, version=changed.version + 5)
            self.everywhere(key[0], lambda unit: unit.records.change(stale), "StaleRecord")

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
        """Two records do not fit together; the other may be nowhere."""
        whose, id_ = self._any(data)
        other = record(data.draw(st.sampled_from(NAMES))).id
        opened = Contradiction(
            id=ContradictionId(uuid(f"doubt {number}")),
            memory_id=id_,
            against=other,
            history=(StatusChange(ContradictionStatus.OPEN, at, "noticed — ✓"),),
        )
        taken = (whose, opened.id) in self.doubts
        missing = (whose, other) not in self.records
        expected = "DuplicateId" if taken else ("UnknownRecord" if missing else None)
        if taken and missing:
            return
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

    @rule(whose=WHOSE, words=st.integers(15, 20))
    def add_rule(self, whose: Anchor, words: int) -> None:
        """A rule, so that bodies come to lie below, at and above the threshold of D8."""
        known = self.canon.setdefault(whose, [])
        given = canonical_rule(f"rule {len(known)}", " ".join(RULE_WORDS[:words]))
        self.everywhere(whose, lambda unit: unit.rules.add([given]))
        known.append(RULE_WORDS[:words])

    @rule(whose=WHOSE, session=st.sampled_from(SESSIONS))
    def end_session(self, whose: Anchor, session: SessionId) -> None:
        """What was of the session goes, but for what something points at and what follows on what stays."""
        scope = SessionScope(whose, session)
        mine = {id_: one for id_, one in self.of(whose).items() if one.scope == scope}
        gone = tuple(sorted(id_ for id_ in mine if not self._is_held(whose, id_, set(mine))))
        self.everywhere(whose, lambda unit: unit.scope_cleanup.detach(gone))
        self.everywhere(whose, lambda unit: unit.scope_cleanup.remove(gone))
        for kept in sorted(set(mine) - set(gone))[:1]:
            if self._is_pointed_at(whose, kept):
                self.everywhere(whose, lambda unit: unit.scope_cleanup.remove([kept]), "KeptForGood")  # noqa: B023
        for id_ in gone:
            for kept_of in (self.records, self.words, self.vectors):
                kept_of.pop((whose, id_), None)

    def _is_held(self, whose: Anchor, id_: Any, mine: set[Any], seen: frozenset[Any] = frozenset()) -> bool:
        if self._is_pointed_at(whose, id_):
            return True
        leading = [one.id for one in self.of(whose).values() if self._leads_to(one) == id_ and one.id != id_]
        return any(
            one not in mine or (one not in seen and self._is_held(whose, one, mine, seen | {id_})) for one in leading
        )

    def _is_pointed_at(self, whose: Anchor, id_: Any) -> bool:
        heard = [said for (of, _), all_said in self.spoken.items() if of == whose for said in all_said]
        return (
            any(of == whose and linked == id_ for of, _, linked in self.links)
            or any(
                said.memory_id == id_ or (said.source_ref == id_ and said.source_type == "observation_event")
                for said in heard
            )
            or any(of == whose and id_ in (one.memory_id, one.against) for (of, _), one in self.doubts.items())
        )

    @staticmethod
    def _leads_to(one: MemoryRecord) -> Any:
        return getattr(one.state, "by", None)

    def _any(self, data: st.DataObject) -> Key:
        return data.draw(st.sampled_from(sorted(self.records, key=str)))
