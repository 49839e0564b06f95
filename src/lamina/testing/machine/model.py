"""The model: dictionaries, and rules that are written down once more, in other words than the domain's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from lamina.domain.anchor import Anchor
from lamina.domain.as_of import AsOf
from lamina.domain.claim import Claim
from lamina.domain.contradiction import Contradiction
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import LaminaError
from lamina.domain.ids import ContradictionId, DecisionId, MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.references import ActionLink, RuleRef
from lamina.domain.scope import PersistentScope
from lamina.domain.selection import Selection
from lamina.domain.state import Active, Archived, Exempted, Invalidated, Promoted, Superseded
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.ports.store import Store
from lamina.ports.unit_of_work import UnitOfWork
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, record

ANCHORS = (anchor("acme", "kyc"), anchor("acme", "数据"))
WHOSE = st.sampled_from(ANCHORS)
NAMES = [f"record {number}" for number in range(8)]
CROWD = [f"one of many {number}" for number in range(24)]
"""Written at once, so that every store's way of writing many rows is taken too."""
IDS = [record(name).id for name in (*NAMES, *CROWD)]
NUMBERS = st.tuples(*(st.integers(-3, 3) for _ in range(EMBEDDING.dimension))).filter(any)
CLAIMS = st.builds(Claim, st.sampled_from(["gate", "Gate ", "門"]), st.just("requires"), st.sampled_from(["a", "b"]))
DAYS = st.integers(-5, 5).map(lambda days: START + days * DAY)
LABELS = st.dictionaries(st.sampled_from(["family", "ort", 'quo"te']), st.sampled_from(["x", "ÿ", "z'z"]), max_size=3)
LEXEMES = st.lists(st.sampled_from(["gate", "cite", "schlüssel", "数据", "7"]), max_size=6)
SELECTIONS = st.builds(
    Selection,
    tiers=st.frozensets(st.sampled_from(Tier), min_size=1),
    typologies=st.frozensets(st.sampled_from(Typology), min_size=1),
    since=st.none() | DAYS,
    until=st.none() | DAYS,
    include_retired=st.booleans(),
    as_of=st.none() | st.builds(AsOf, DAYS, DAYS),
)
EVERYWHERE = Selection()
BODIES = st.sampled_from(
    ["the gate wants citations", "Überprüfung — §7", "数据质量门", "'; DROP TABLE x; --", "🙂\u200d\n"]
)
RULE_WORDS = tuple(
    f"{chr(letter)}{chr(letter + 1)}{chr(letter + 2)}"
    for first in "aàа東"
    for letter in range(ord(first), ord(first) + 5)
)
"""Words of four scripts with four trigrams each and none in common: a similarity is an exact fraction of them."""
SHADOW = Fraction(17, 20)
HELD = Fraction(35, 100)
Key = tuple[Anchor, MemoryId]


class Modelled(RuleBasedStateMachine):
    """What should be in every store, and how it is compared with what is."""

    def open_stores(self) -> list[Store]:
        """The empty stores to run on."""
        raise NotImplementedError("say which stores to run on")

    @initialize()
    def begin(self) -> None:
        """Opens the stores."""
        self.stores = self.open_stores()
        self.records: dict[Key, MemoryRecord] = {}
        self.vectors: dict[Key, tuple[int, ...]] = {}
        self.words: dict[Key, list[str]] = {}
        self.spoken: dict[Key, list[Corroboration]] = {}
        self.doubts: dict[tuple[Anchor, ContradictionId], Contradiction] = {}
        self.links: dict[tuple[Anchor, str, MemoryId], ActionLink] = {}
        self.canon: dict[Anchor, list[tuple[str, ...]]] = {}
        self.referred: dict[Key, set[RuleRef]] = {}
        self.decided: dict[tuple[Anchor, DecisionId], DecisionEntry] = {}

    def teardown(self) -> None:
        """Closes them."""
        for store in getattr(self, "stores", []):
            store.close()

    def everywhere(self, whose: Anchor, act: Callable[[UnitOfWork], None], expected: str | None = None) -> bool:
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

    def answers(self, whose: Anchor, ask: Callable[[UnitOfWork], Any]) -> Iterator[Any]:
        """What each store says."""
        for store in self.stores:
            with store.reading(whose) as unit:
                answer = ask(unit)
            yield answer

    def of(self, whose: Anchor) -> dict[MemoryId, MemoryRecord]:
        """The records of one anchor."""
        return {id_: one for (of, id_), one in self.records.items() if of == whose}

    def selected(self, whose: Anchor, selection: Selection) -> dict[MemoryId, MemoryRecord]:
        """Those that a selection takes."""
        return {id_: one for id_, one in self.of(whose).items() if self._takes(selection, one)}

    def line(self, whose: Anchor, typology: Typology) -> list[MemoryRecord]:
        """The live persistent records of a typology."""
        mine = [one for one in self.of(whose).values() if one.typology is typology]
        return [one for one in mine if isinstance(one.scope, PersistentScope) and self._is_live(one)]

    def clash(self, new: MemoryRecord) -> str | None:
        """The error that a store must raise, if this record says what another says otherwise at one time."""
        if not (new.claim and isinstance(new.scope, PersistentScope) and self._is_live(new)):
            return None
        for one in self.line(new.scope.anchor, new.typology):
            if one.id != new.id and one.claim and one.claim.key == new.claim.key and self._meet(one, new):
                return "OverlappingClaims"
        return None

    def shadows(self, new: MemoryRecord) -> str | None:
        """The error that a store must raise, if the body copies a rule: by counting words, and runs of them."""
        whose, said = new.scope.anchor, _words(new.body)
        held = [Fraction(len(_fives(said) & _fives(rule)), len(_fives(rule))) for rule in self.canon.get(whose, [])]
        if len(new.body) < 100:
            return None
        if max(self.similarities(whose, new.body), default=Fraction()) > SHADOW:
            return "ShadowsRule"
        return "ContainsRule" if max(held, default=Fraction()) >= HELD else None

    def similarities(self, whose: Anchor, text: str) -> list[Fraction]:
        """How similar a text of rule words is to each rule of the anchor."""
        said = {*_words(text)}
        return [Fraction(len(said & {*rule}), len(said | {*rule})) for rule in self.canon.get(whose, [])]

    @staticmethod
    def _meet(one: MemoryRecord, other: MemoryRecord) -> bool:
        begins = max(one.validity.valid_at, other.validity.valid_at)
        ends = [end for end in (one.validity.invalid_at, other.validity.invalid_at) if end is not None]
        return not ends or begins < min(ends)

    @staticmethod
    def _is_live(one: MemoryRecord) -> bool:
        return isinstance(one.state, Active | Promoted | Exempted)

    @staticmethod
    def _is_retired(one: MemoryRecord) -> bool:
        return isinstance(one.state, Archived | Invalidated | Superseded)

    def _takes(self, selection: Selection, one: MemoryRecord) -> bool:
        valid_at = one.validity.valid_at
        return (
            one.scope.tier in selection.tiers
            and one.typology in selection.typologies
            and (selection.since is None or valid_at >= selection.since)
            and (selection.until is None or valid_at < selection.until)
            and self._surfaces(selection, one)
        )

    def _surfaces(self, selection: Selection, one: MemoryRecord) -> bool:
        then = selection.as_of
        if then is None:
            return self._is_live(one) or (selection.include_retired and self._is_retired(one))
        if not (self._is_live(one) or self._is_retired(one)):
            return False
        retired = one.state.at if isinstance(one.state, Archived | Invalidated | Superseded) else None
        learned = retired is not None and retired <= then.known_at
        if (one.granted_at or one.recorded_at) > then.known_at or (learned and isinstance(one.state, Archived)):
            return False
        ends = [one.validity.invalid_at]
        if isinstance(one.state, Invalidated) and not learned:
            ends = [one.state.former_end]
        if isinstance(one.state, Superseded) and learned:
            ends.append(retired)
        began = one.validity.valid_at <= then.valid_at
        return began and not any(end is not None and end <= then.valid_at for end in ends)


def _fives(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(*(words[start:] for start in range(5)), strict=False))


def _words(text: str) -> list[str]:
    return text.replace(".", "").split()
