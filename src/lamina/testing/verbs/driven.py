"""What every rule of the machine works with: the stores, the places, and how an answer is held against the model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any, ClassVar
from uuid import UUID

from hypothesis.stateful import RuleBasedStateMachine, invariant

from lamina.application.session import Interaction, Session
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef
from lamina.domain.scope import InteractionScope
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.ports.canonical_rules import Rule
from lamina.testing.verbs.model import Doubted, Place, one_at_a_time, row_of
from lamina.testing.verbs.sides import Answer, Everything, Side, Verb, answer, everything
from lamina.testing.verbs.vocabulary import COPY, RULE_ID, START, Text, TurnedClock

RULE = RuleRef(RULE_ID, "v1")
NOWHERE = UUID(int=1)


class Sitting:
    """A session as each store's user holds it."""

    def __init__(self, place: Place, held: Sequence[Session]) -> None:
        self.place = place
        self.held = held
        self.session = held[0].id
        self.closed = False
        self.going_on = 0
        self.interaction: UUID | None = None


class Turn:
    """An interaction of it."""

    def __init__(self, sitting: Sitting, held: Sequence[Interaction]) -> None:
        self.place = sitting.place
        self.sitting = sitting
        self.held = held
        self.session = sitting.session
        scope = held[0].scope
        self.interaction: UUID | None = scope.interaction_id if isinstance(scope, InteractionScope) else None
        self.closed = sitting.closed


class Driven(RuleBasedStateMachine):
    """Two anchors of one agent on each store, each with a model of its own."""

    spec: ClassVar[AgentMemorySpec]
    _numbers: ClassVar[count[int]] = count()

    def open_sides(self, clock: TurnedClock) -> list[Side]:
        """The stores to run on. They may have the memory of other anchors: no history uses another's."""
        raise NotImplementedError("say which stores to run on")

    def begin(self) -> None:
        """Opens the stores, with a rule that may not be copied where the agent has any."""
        self.clock = TurnedClock()
        self.sides = self.open_sides(self.clock)
        self.first = self.sides[0].ids.count
        assert {side.ids.count for side in self.sides} == {self.first}
        number, keys = next(self._numbers), self.spec.persistent_anchor.names
        anchors = [
            self.spec.persistent_anchor.bind({key: f"{number} {name if key == keys[-1] else ''}" for key in keys})
            for name in ("kyc", "aml")
        ]
        self.places = [Place(anchor) for anchor in anchors]
        self.touched = self.places[0]
        self.handles: list[Sitting | Turn] = []
        self.has_rules = self.spec.persistence.canonical is not None
        self.keeps_episodes = Typology.EPISODIC in self.spec.typology[Tier.PERSISTENT]
        for place in self.places if self.has_rules else ():
            self.make_rule(place, COPY)

    def make_rule(self, place: Place, text: Text) -> None:
        """What was a text is a canonical rule from now on: it is referred to, and not copied."""
        ref = RULE if text == COPY else RuleRef(UUID(int=100 + text.family), "v1")
        for side in self.sides:
            side.at(place.anchor).add_rules([Rule(ref, text.body)])
        place.canon.add(text.family)

    @staticmethod
    def copied(place: Place, text: Text) -> str | None:
        """The rule that refuses it, if it copies one."""
        return "rule-shadow" if text.family in place.canon else None

    @property
    def now(self) -> datetime:
        """The time on every store."""
        return self.clock.time

    def run(self, place: Place, verb: Verb, plan: Verb | None = None) -> Answer:
        """What the verb comes to, which is the same on every store."""
        self.touched = place
        answers = [answer(number, side, place.anchor, verb, plan) for number, side in enumerate(self.sides)]
        for other in answers[1:]:
            assert other == answers[0]
        return answers[0]

    def outcome(self, place: Place, verb: Verb, *, planned: bool = True) -> tuple[Answer, Outcome]:
        """The same, of a verb that gives one outcome."""
        given = self.run(place, verb, verb if planned else None)
        assert isinstance(given.said, Outcome), given.said
        return given, given.said

    @staticmethod
    def refused(place: Place, verb: str, said: Outcome, rule: str | None) -> bool:
        """Whether the model's rule refused it, as was said; nothing but the refusal itself is left behind."""
        assert said.rule == rule if rule else said.decision is not Decision.REFUSED, (said, rule)
        if rule:
            assert said.decision is Decision.REFUSED
            place.tell(verb, said)
        return rule is not None

    def logged(self, place: Place, given: Answer) -> None:
        """Every decision of the model is in the log, in order, as of now; contradictions get their ids."""
        told = [(said.verb, said.decision, said.ids) for said in place.told]
        assert [(e.verb, e.outcome.decision.value, e.outcome.ids) for e in given.entries] == told
        assert all(entry.at == self.now for entry in given.entries)
        place.log.update(zip((entry.id for entry in given.entries), place.told, strict=True))
        place.told.clear()
        self._name_doubts(place)

    def _name_doubts(self, place: Place) -> None:
        waiting = {key: one for key, one in place.doubts.items() if isinstance(one.against, frozenset)}
        for memory, one in waiting.items():
            del place.doubts[memory]
            with self.sides[0].reading(place.anchor) as unit:
                (opened,) = [new for new in unit.contradictions.of(one.memory) if new.id not in place.doubts]  # type: ignore[arg-type]
            assert opened.memory_id == memory
            assert opened.against in one.against
            place.doubts[opened.id] = Doubted(memory, opened.against)

    @invariant()
    def everything_is_as_the_model_has_it(self) -> None:
        """On every store: the anchor that something was said at, with every promise kept; the other as it was."""
        for place in getattr(self, "places", []):
            if place is self.touched:
                found = [self._look(side, place) for side in self.sides]
                assert all(other == found[0] for other in found[1:])
                self._compare(found[0], place)
                self._audit(place)
            else:
                for side in self.sides:
                    with side.reading(place.anchor) as unit:
                        records = unit.records.get(self._issued(side))
                    assert {id_: row_of(record) for id_, record in records.items()} == place.rows

    def _audit(self, place: Place) -> None:
        """What is live is recalled, and nothing else; an audit finds nothing broken."""
        live = {id_ for id_, row in place.rows.items() if row.live}
        for side in self.sides:
            memory = side.at(place.anchor)
            report = memory.audit()
            assert report.broken == [], report.examples
            assert {hit.record.id for hit in memory.recall("whatever there is", limit=1_000)} == live

    def _issued(self, side: Side) -> list[MemoryId]:
        return [MemoryId(UUID(int=number)) for number in range(self.first + 1, side.ids.count + 1)]

    def _look(self, side: Side, place: Place) -> Everything:
        return everything(side, place.anchor, self._issued(side), sorted(place.refs))

    @staticmethod
    def _compare(found: Everything, place: Place) -> None:
        rows = {id_: row_of(record) for id_, record in found.records.items()}
        assert rows == place.rows
        one_at_a_time(list(rows.values()))
        assert {id_: {e.id for e in entries} for id_, entries in found.decisions.items()} == _touched(place)
        assert rows.keys() <= found.decisions.keys(), "every record was decided on"
        assert {
            one.id: Doubted(one.memory_id, one.against, tuple(map(str, [s.status for s in one.history])))
            for one in found.doubts
        } == place.doubts
        assert {(link.ref, link.memory_id) for link in found.links} == place.links
        heard = {
            (one.memory_id, one.source, one.session_id, one.confirms, one.corroborated_at)
            for said in found.voices.values()
            for one in said
        }
        assert heard == {(v.memory, v.source, v.session, v.confirms, v.at) for v in place.voices}
        assert sum(map(len, found.voices.values())) == len(place.voices)
        assert found.refs.keys() == place.refs.keys() & rows.keys()

    def turn(self, hours: int) -> None:
        """The clock goes on, or back; not before the beginning."""
        self.clock.time = max(START, self.clock.time + timedelta(hours=hours))


def _touched(place: Place) -> dict[Any, set[UUID]]:
    touched: dict[Any, set[UUID]] = {}
    for decision, said in place.log.items():
        for id_ in said.ids:
            touched.setdefault(id_, set()).add(decision)
    return touched
