"""Random histories, run on one store or on several at once, beside a model that is nothing but dictionaries.

    class MyMachine(StoreMachine):
        def open_stores(self) -> list[Store]: ...

    TestMyStore = MyMachine.TestCase

With two stores, each answer is also compared between them: whoever passes cannot tell them apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration
from lamina.domain.errors import LaminaError
from lamina.domain.ids import CorroborationId, MemoryId
from lamina.domain.record import MemoryRecord, Tags
from lamina.domain.scope import PersistentScope, SessionScope
from lamina.domain.selection import Selection
from lamina.domain.state import Active, Exempted, Promoted
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive, exempt, invalidate, restore, supersede
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.store import Store
from lamina.ports.unit_of_work import UnitOfWork
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, entry, record, uuid, vector
from lamina.testing.strategies import corroborations, session_ids

ANCHORS = (anchor("acme", "kyc"), anchor("acme", "数据"))
WHOSE = st.sampled_from(ANCHORS)
NAMES = [f"record {number}" for number in range(8)]
NUMBERS = st.tuples(*(st.integers(-3, 3) for _ in range(EMBEDDING.dimension))).filter(any)
CLAIMS = st.builds(Claim, st.sampled_from(["gate", "Gate ", "門"]), st.just("requires"), st.sampled_from(["a", "b"]))
DAYS = st.integers(-5, 5).map(lambda days: START + days * DAY)
LABELS = st.dictionaries(st.sampled_from(["family", "ort", 'quo"te']), st.sampled_from(["x", "ÿ", "z'"]), max_size=3)
SELECTIONS = st.builds(
    Selection,
    tiers=st.frozensets(st.sampled_from(Tier), min_size=1),
    typologies=st.frozensets(st.sampled_from(Typology), min_size=1),
    since=st.none() | DAYS,
    until=st.none() | DAYS,
    include_retired=st.booleans(),
)
EVERYWHERE = Selection()
Key = tuple[Anchor, MemoryId]


@st.composite
def new_records(draw: st.DrawFn) -> MemoryRecord:
    """Records of a few names, so that ids are taken twice; of a few matters, some backdated, so that claims clash."""
    whose, valid_at = draw(WHOSE), draw(DAYS)
    lasts, session = draw(st.none() | st.integers(0, 4)), draw(st.none() | session_ids)
    return record(
        draw(st.sampled_from(NAMES)),
        whose,
        scope=SessionScope(whose, session) if session else PersistentScope(whose),
        typology=draw(st.sampled_from(Typology)),
        claim=draw(st.none() | CLAIMS),
        validity=Validity(valid_at, None if lasts is None else valid_at + lasts * DAY),
        tags=Tags(draw(LABELS)),
    )


class StoreMachine(RuleBasedStateMachine):
    """Writes at random, and compares every answer with the model's."""

    tolerance: ClassVar[float] = 1e-5

    def open_stores(self) -> list[Store]:
        """The empty stores to run on."""
        raise NotImplementedError("say which stores to run on")

    @initialize()
    def begin(self) -> None:
        """Opens the stores."""
        self.stores = self.open_stores()
        self.records: dict[Key, MemoryRecord] = {}
        self.vectors: dict[Key, tuple[int, ...]] = {}
        self.spoken: dict[Key, list[Corroboration]] = {}

    def teardown(self) -> None:
        """Closes them."""
        for store in getattr(self, "stores", []):
            store.close()

    @rule(new=new_records(), numbers=st.none() | NUMBERS)
    def add(self, new: MemoryRecord, numbers: tuple[int, ...] | None) -> None:
        """A record of any cell, with or without a vector; some ids are taken, some claims clash."""
        given = entry(new, *(numbers or ()))
        key = (new.scope.anchor, new.id)
        expected = "DuplicateId" if key in self.records else self._clash(given.record)
        if self._everywhere(new.scope.anchor, lambda unit: unit.records.add([given]), expected):
            self.records[key] = given.record
            if numbers:
                self.vectors[key] = numbers

    @rule(data=st.data(), at=DAYS)
    @precondition(lambda self: self.records)
    def change(self, data: st.DataObject, at: Any) -> None:
        """Any transition, of any record, by any other."""
        key = data.draw(st.sampled_from(sorted(self.records, key=str)))
        one, other = self.records[key], self.records[data.draw(st.sampled_from(sorted(self.records, key=str)))]
        transitions = [
            archive(one, at, "stale"),
            exempt(one, at, "a landmark"),
            supersede(one, other, at),
            invalidate(one, at, at, "reversed", by=other),
            restore(one),
        ]
        changed = data.draw(st.sampled_from(transitions))
        if isinstance(changed, MemoryRecord):
            if self._everywhere(key[0], lambda unit: unit.records.change(changed), self._clash(changed)):
                self.records[key] = changed
            stale = replace(changed, version=changed.version + 5)
            self._everywhere(key[0], lambda unit: unit.records.change(stale), "StaleRecord")

    @rule(data=st.data(), one=corroborations(), number=st.integers(0, 20))
    @precondition(lambda self: self.records)
    def corroborate(self, data: st.DataObject, one: Corroboration, number: int) -> None:
        """A corroboration; some ids are taken."""
        key = data.draw(st.sampled_from(sorted(self.records, key=str)))
        given = replace(one, id=CorroborationId(uuid(f"corroboration {number}")), memory_id=key[1])
        taken = any(
            given.id == said.id for (whose, _), heard in self.spoken.items() if whose == key[0] for said in heard
        )
        if self._everywhere(key[0], lambda unit: unit.corroborations.add([given]), "DuplicateId" if taken else None):
            self.spoken.setdefault(key, []).append(given)

    @rule(whose=WHOSE, numbers=NUMBERS, selection=SELECTIONS, limit=st.integers(1, 15))
    def search(self, whose: Anchor, numbers: tuple[int, ...], selection: Selection, limit: int) -> None:
        """The nearest are the nearest, and there are as many as there can be."""
        query = array("f", vector(*numbers))
        cosines = self._cosines(whose, query, selection)
        for found in self._answers(
            whose, lambda unit: dict(unit.candidates.nearest(query.tobytes(), EMBEDDING.model, selection, limit))
        ):
            assert len(found) == min(limit, len(cosines))
            assert all(abs(score - cosines[id_]) < self.tolerance for id_, score in found.items())
            left = [score for id_, score in cosines.items() if id_ not in found]
            assert not left or min(found.values()) > max(left) - self.tolerance

    @rule(whose=WHOSE, labels=LABELS, selection=SELECTIONS)
    def tagged(self, whose: Anchor, labels: dict[str, str], selection: Selection) -> None:
        """Labels agree or they do not."""
        expected = {}
        for (of, id_), one in self.records.items():
            agreeing = sum(one.tags.get(key) == value for key, value in labels.items())
            if of == whose and agreeing and self._takes(selection, one):
                expected[id_] = agreeing / len(labels)
        for found in self._answers(whose, lambda unit: dict(unit.candidates.tagged(labels, selection, 100))):
            assert found == expected

    @rule(whose=WHOSE, claim=CLAIMS, typology=st.sampled_from(Typology))
    def with_claim(self, whose: Anchor, claim: Claim, typology: Typology) -> None:
        """The live claims of one matter, in the order of time."""
        line = [one for one in self._line(whose, typology) if one.claim and one.claim.key == claim.key]
        expected = sorted(line, key=lambda one: (one.validity.valid_at, one.id))
        for found in self._answers(whose, lambda unit: unit.records.with_claim(typology, claim.key)):
            assert found == expected

    @invariant()
    def everything_is_there(self) -> None:
        """All records with what was said of them, and none of another anchor; what is live can be found."""
        ids = [record(name).id for name in NAMES]
        query = array("f", vector(1, 1))
        for whose in ANCHORS if hasattr(self, "stores") else ():
            mine = {id_: one for (of, id_), one in self.records.items() if of == whose}
            live = set(self._cosines(whose, query, EVERYWHERE))

            def look(unit: UnitOfWork, mine: dict[MemoryId, MemoryRecord] = mine) -> tuple[Any, Any, Any]:
                nearest = unit.candidates.nearest(query.tobytes(), EMBEDDING.model, EVERYWHERE, len(NAMES))
                return unit.records.get(ids), {id_: unit.corroborations.of(id_) for id_ in mine}, set(nearest)

            for found in self._answers(whose, look):
                assert found == (mine, {id_: self._heard((whose, id_)) for id_ in mine}, live)

    def _cosines(self, whose: Anchor, query: array[float], selection: Selection) -> dict[MemoryId, float]:
        return {
            id_: sum(a * b for a, b in zip(query, array("f", vector(*self.vectors[of, id_])), strict=True))
            for (of, id_), one in self.records.items()
            if of == whose and (of, id_) in self.vectors and self._takes(selection, one)
        }

    def _heard(self, key: Key) -> list[Corroboration]:
        return sorted(self.spoken.get(key, []), key=lambda said: (said.corroborated_at, said.id))

    def _everywhere(self, whose: Anchor, act: Callable[[UnitOfWork], None], expected: str | None) -> bool:
        """Does it on every store, and sees that each does it or refuses it as the model says."""
        for store in self.stores:
            raised = None
            try:
                with store.unit(whose) as unit:
                    act(unit)
            except LaminaError as error:
                raised = type(error).__name__
            assert raised == expected, f"{type(store).__name__}: {raised} instead of {expected}"
        return expected is None

    def _answers(self, whose: Anchor, ask: Callable[[UnitOfWork], Any]) -> list[Any]:
        answers = []
        for store in self.stores:
            with store.unit(whose) as unit:
                answers.append(ask(unit))
        return answers

    def _line(self, whose: Anchor, typology: Typology) -> list[MemoryRecord]:
        mine = [one for (of, _), one in self.records.items() if of == whose and one.typology is typology]
        return [one for one in mine if isinstance(one.scope, PersistentScope) and self._is_live(one)]

    def _clash(self, new: MemoryRecord) -> str | None:
        if not (new.claim and isinstance(new.scope, PersistentScope) and self._is_live(new)):
            return None
        for one in self._line(new.scope.anchor, new.typology):
            if one.id != new.id and one.claim and one.claim.key == new.claim.key and self._meet(one, new):
                return "OverlappingClaims"
        return None

    @staticmethod
    def _meet(one: MemoryRecord, other: MemoryRecord) -> bool:
        begins = max(one.validity.valid_at, other.validity.valid_at)
        ends = [end for end in (one.validity.invalid_at, other.validity.invalid_at) if end is not None]
        return not ends or begins < min(ends)

    @staticmethod
    def _is_live(one: MemoryRecord) -> bool:
        return isinstance(one.state, Active | Promoted | Exempted)

    def _takes(self, selection: Selection, one: MemoryRecord) -> bool:
        valid_at = one.validity.valid_at
        return (
            one.scope.tier in selection.tiers
            and one.typology in selection.typologies
            and (selection.since is None or valid_at >= selection.since)
            and (selection.until is None or valid_at < selection.until)
            and (self._is_live(one) or selection.include_retired)
        )
