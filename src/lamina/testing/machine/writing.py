"""What the machine writes, at random: some ids are taken, some claims clash, some bodies copy a rule."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.domain.anchor import Anchor
from lamina.domain.errors import LaminaError
from lamina.domain.ids import SessionId
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.scope import PersistentScope, SessionScope
from lamina.domain.selection import Selection
from lamina.domain.state import Active, Candidate, Tombstoned
from lamina.domain.transitions import archive, exempt, grant, invalidate, restore, supersede, tombstone
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.machine.model import (
    BODIES,
    CLAIMS,
    CROWD,
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
from lamina.testing.samples import DAY, EMBEDDING, START, entry, record, uuid, vector
from lamina.testing.samples import rule as canonical_rule

HELD = Candidate(START, "wait — ✓", "corroborated")
RULES = [canonical_rule(f"rule {number}", "").ref for number in range(4)]
SESSIONS = [SessionId(uuid(name)) for name in ("morning", "evening")]


@st.composite
def new_records(draw: st.DrawFn) -> MemoryRecord:
    """Records of a few names, matters and sessions, some backdated or held; some bodies lie at a rule's threshold."""
    whose, valid_at = draw(WHOSE), draw(DAYS)
    lasts, session = draw(st.none() | st.integers(0, 4)), draw(st.none() | st.sampled_from(SESSIONS))
    origin = Origin(session, None, draw(st.integers(0, 5))) if session else None
    copied, state = draw(st.none() | st.integers(15, 20)), draw(st.sampled_from([Active(), Active(), HELD]))
    return record(
        draw(st.sampled_from(NAMES)),
        whose,
        scope=SessionScope(whose, session) if session and draw(st.booleans()) else PersistentScope(whose),
        typology=draw(st.sampled_from(Typology)),
        claim=draw(st.none() | CLAIMS),
        validity=Validity(valid_at, None if lasts is None else valid_at + lasts * DAY),
        tags=Tags(draw(LABELS)),
        origin=origin,
        state=state,
        body=rule_text(copied, draw(st.sampled_from([1, -1]))) if copied else draw(BODIES),
    )


def rule_text(words: int, order: int = 1) -> str:
    """So many of the words that rules are made of, padded to the floor with what has no trigrams. In the reverse order,
    -1, they have the same trigrams, and no run of words in common."""
    return " ".join(RULE_WORDS[:words][::order]) + "." * 60


class Interruption(Exception):
    """Something that goes wrong in the middle of a unit."""


class Writing(Modelled):
    """Every way to write records and rules, and to take them away."""

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

    @rule(whose=WHOSE, numbers=NUMBERS, copied=st.none() | st.integers(0, len(CROWD) - 1))
    def add_many(self, whose: Anchor, numbers: tuple[int, ...], copied: int | None) -> None:
        """A crowd at once, all or none; one of them may copy a rule."""
        facts = [
            record(name, whose, **({"body": rule_text(20)} if place == copied else {}))
            for place, name in enumerate(CROWD)
        ]
        given = [entry(fact, *numbers, lexemes=["gate", str(place)]) for place, fact in enumerate(facts)]
        shadowing = next(filter(None, map(self.shadows, facts)), None)
        taken = (whose, facts[0].id) in self.records
        if taken and shadowing:
            return
        expected = shadowing or ("DuplicateId" if taken else None)
        if self.everywhere(whose, lambda unit: unit.records.add(given), expected):
            for one in given:
                key = (whose, one.record.id)
                self.records[key], self.words[key], self.vectors[key] = one.record, list(one.lexemes), numbers

    @rule(new=new_records(), numbers=NUMBERS, lexemes=st.just(["gate"]))
    def interrupt(self, new: MemoryRecord, numbers: tuple[int, ...], lexemes: list[str]) -> None:
        """A unit that finds what it wrote, and then fails, leaves nothing behind."""
        for store in self.stores:
            with suppress(Interruption, LaminaError), store.unit(new.scope.anchor) as unit:
                unit.records.add([entry(new, *numbers, lexemes=lexemes)])
                unit.candidates.nearest(vector(1), EMBEDDING.model, Selection(), 3)
                raise Interruption

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
            grant(one, at),
            tombstone(one, int(self._is_pointed_at(*key)), at, "asked to"),
        ]
        changed = data.draw(st.sampled_from(transitions))
        if isinstance(changed, MemoryRecord):
            if self.everywhere(key[0], lambda unit: unit.records.change(changed), self.clash(changed)):
                self.records[key] = changed
                if isinstance(changed.state, Tombstoned):
                    self._forget(key, self.words, self.vectors)
            stale = replace(changed, version=changed.version + 5)
            self.everywhere(key[0], lambda unit: unit.records.change(stale), "StaleRecord")

    @rule(whose=WHOSE, words=st.integers(15, 20))
    def add_rule(self, whose: Anchor, words: int) -> None:
        """A rule, so that bodies come to lie below, at and above the threshold of D8."""
        known = self.canon.setdefault(whose, [])
        given = canonical_rule(f"rule {len(known)}", " ".join(RULE_WORDS[:words]))
        if len(known) == len(RULES):
            return
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
            self._forget((whose, id_), self.records, self.words, self.vectors, self.referred)

    @staticmethod
    def _forget(key: Key, *kept: dict[Key, Any]) -> None:
        for of in kept:
            of.pop(key, None)

    def _missing(self, whose: Anchor, side: Any) -> str | None:
        """The error that a store must raise if the other side of a contradiction, or a rule, is not there."""
        if side in RULES:
            return None if RULES.index(side) < len(self.canon.get(whose, [])) else "UnknownRule"
        return None if (whose, side) in self.records else "UnknownRecord"

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
