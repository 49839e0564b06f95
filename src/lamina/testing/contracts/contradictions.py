"""What every store of contradictions and of action links keeps its word on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.errors import DuplicateId, StaleRecord, UnknownRecord, UnknownRule
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.references import ActionLink, RuleRef
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, START, anchor, record, rule, uuid

OPEN, DISMISSED = ContradictionStatus.OPEN, ContradictionStatus.DISMISSED
SURFACED = ContradictionStatus.SURFACED_TO_OPERATOR


def contradiction(name: str, memory_id: MemoryId, against: RuleRef | MemoryId, day: int = 0) -> Contradiction:
    """An open contradiction that goes by this name."""
    return Contradiction(
        id=ContradictionId(uuid(name)),
        memory_id=memory_id,
        against=against,
        history=(StatusChange(OPEN, START + day * DAY, "“naïve” note ✓"),),
        world_version="w7",
    )


def moved(one: Contradiction, status: ContradictionStatus, day: int = 1) -> Contradiction:
    """The contradiction one step on."""
    step = one.move(status, START + day * DAY, f"now {status}")
    assert isinstance(step, Contradiction)
    return step


class ContradictionsContract:
    """Contradictions come back with their whole history, and move one step at a time."""

    def test_one_against_a_rule_and_one_against_a_record_come_back(self, store: Store) -> None:
        one, other, known = record("one"), record("other"), rule("r", "Cite sources.")
        by_rule = contradiction("by rule", one.id, known.ref, day=1)
        by_record = replace(contradiction("by record", one.id, other.id), world_version=None)
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.records.add([Entry(one), Entry(other)])
            unit.contradictions.add([by_rule, by_record])
        with store.unit(anchor()) as unit:
            assert unit.contradictions.get(by_rule.id) == by_rule
            assert unit.contradictions.of(one.id) == [by_record, by_rule]
            assert unit.contradictions.of(other.id) == [by_record]
            assert unit.contradictions.get(ContradictionId(uuid("nowhere"))) is None
            assert unit.contradictions.of(record("third").id) == []

    def test_it_moves_and_remembers_every_step(self, store: Store) -> None:
        one, other = record("one"), record("other")
        opened = contradiction("c", one.id, other.id)
        surfaced = moved(opened, SURFACED)
        dismissed = moved(surfaced, DISMISSED, day=2)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one), Entry(other)])
            unit.contradictions.add([opened])
            unit.contradictions.move(surfaced)
        with store.unit(anchor()) as unit:
            unit.contradictions.move(dismissed)
        with store.unit(anchor()) as unit:
            assert unit.contradictions.get(opened.id) == dismissed

    def test_a_step_is_taken_from_where_it_is(self, store: Store) -> None:
        one, other = record("one"), record("other")
        opened = contradiction("c", one.id, other.id)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one), Entry(other)])
            unit.contradictions.add([opened])
            unit.contradictions.move(moved(opened, SURFACED))
        with pytest.raises(StaleRecord, match="surfaced_to_operator"), store.unit(anchor()) as unit:
            unit.contradictions.move(moved(opened, DISMISSED))
        with pytest.raises(UnknownRecord, match=str(uuid("nowhere"))), store.unit(anchor()) as unit:
            unit.contradictions.move(moved(contradiction("nowhere", one.id, other.id), DISMISSED))

    def test_they_are_listed_by_status(self, store: Store) -> None:
        one, other = record("one"), record("other")
        late, early, gone = (
            contradiction(name, one.id, other.id, day) for name, day in (("late", 2), ("early", 1), ("gone", 0))
        )
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one), Entry(other)])
            unit.contradictions.add([late, early, gone])
            unit.contradictions.move(moved(gone, DISMISSED))
        with store.unit(anchor()) as unit:
            assert unit.contradictions.with_status(OPEN, limit=9) == [early, late]
            assert unit.contradictions.with_status(OPEN, limit=1) == [early]
            assert unit.contradictions.with_status(DISMISSED, limit=9) == [moved(gone, DISMISSED)]
            assert unit.contradictions.with_status(SURFACED, limit=9) == []
        with store.unit(anchor("other")) as unit:
            assert unit.contradictions.with_status(OPEN, limit=9) == []

    def test_both_sides_must_be_there(self, store: Store) -> None:
        one, known = record("one"), rule("r", "Cite sources.")
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.records.add([Entry(one)])
        for missing in (
            contradiction("c", record("nowhere").id, known.ref),
            contradiction("c", one.id, record("nowhere").id),
        ):
            with pytest.raises(UnknownRecord), store.unit(anchor()) as unit:
                unit.contradictions.add([missing])
        with pytest.raises(UnknownRule), store.unit(anchor()) as unit:
            unit.contradictions.add([contradiction("c", one.id, RuleRef(known.ref.rule_id, "v9"))])

    def test_an_id_is_taken_once(self, store: Store) -> None:
        one, other = record("one"), record("other")
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one), Entry(other)])
            unit.contradictions.add([contradiction("c", one.id, other.id)])
        with pytest.raises(DuplicateId), store.unit(anchor()) as unit:
            unit.contradictions.add([contradiction("c", one.id, other.id)])


def link(memory_id: MemoryId, ref: str = "rule 7", day: int = 0) -> ActionLink:
    """A link to a promotion."""
    return ActionLink("rule_promotion", ref, memory_id, START + day * DAY)


class ActionLinksContract:
    """What justified an action can be asked from either end."""

    def test_links_come_back_from_both_ends(self, store: Store) -> None:
        one, other = record("one"), record("other")
        links = [link(one.id, day=1), link(other.id, day=1), link(one.id, "règle 8")]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one), Entry(other)])
            unit.action_links.add(links)
        with store.unit(anchor()) as unit:
            assert unit.action_links.of(one.id) == [links[2], links[0]]
            expected = sorted(links[:2], key=lambda each: each.memory_id)
            assert unit.action_links.behind("rule_promotion", "rule 7") == expected
            assert unit.action_links.behind("rule_promotion", "rule 9") == []
        with store.unit(anchor("other")) as unit:
            assert unit.action_links.of(one.id) == unit.action_links.behind("rule_promotion", "rule 7") == []

    def test_linking_twice_is_linking_once(self, store: Store) -> None:
        fact = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact)])
            unit.action_links.add([link(fact.id), link(fact.id)])
        with store.unit(anchor()) as unit:
            unit.action_links.add([link(fact.id, day=3)])
        with store.unit(anchor()) as unit:
            assert unit.action_links.of(fact.id) == [link(fact.id)]

    def test_a_record_that_is_not_there_justifies_nothing(self, store: Store) -> None:
        with pytest.raises(UnknownRecord, match=str(record("a").id)), store.unit(anchor()) as unit:
            unit.action_links.add([link(record("a").id)])
