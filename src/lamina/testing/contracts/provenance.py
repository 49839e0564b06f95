"""What every store of corroborations, references and decisions keeps its word on."""

from __future__ import annotations

from uuid import UUID

import pytest

from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import DuplicateId, UnknownRecord, UnknownRule
from lamina.domain.ids import CorroborationId, DecisionId, MemoryId, SessionId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, START, anchor, record, rule, uuid


def corroboration(name: str, memory_id: MemoryId, day: int = 0) -> Corroboration:
    """A corroboration that goes by this name."""
    return Corroboration(
        id=CorroborationId(uuid(name)),
        memory_id=memory_id,
        source_type=SourceType.OPERATOR_INPUT,
        source_ref=uuid(f"source of {name}"),
        corroborated_at=START + day * DAY,
        session_id=SessionId(uuid("session")),
        outcome=Finding.FAILED,
        notes="“naïve” note ✓",
    )


class CorroborationsContract:
    """Corroborations come back as they went in, oldest first."""

    def test_they_come_back_in_the_order_of_time(self, store: Store) -> None:
        fact = record("a")
        late, early = corroboration("late", fact.id, day=2), corroboration("early", fact.id, day=1)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact)])
            unit.corroborations.add([late, early])
        with store.unit(anchor()) as unit:
            assert unit.corroborations.of(fact.id) == [early, late]
            assert unit.corroborations.of(MemoryId(UUID(int=0))) == []

    def test_a_record_that_is_not_there_cannot_be_corroborated(self, store: Store) -> None:
        with pytest.raises(UnknownRecord, match=str(record("a").id)), store.unit(anchor()) as unit:
            unit.corroborations.add([corroboration("c", record("a").id)])

    def test_a_corroboration_counts_once(self, store: Store) -> None:
        fact = record("a")
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact)])
            unit.corroborations.add([corroboration("c", fact.id)])
        with pytest.raises(DuplicateId), store.unit(anchor()) as unit:
            unit.corroborations.add([corroboration("c", fact.id)])


class RuleReferencesContract:
    """References are rows of their own, with real foreign keys."""

    def test_references_come_back(self, store: Store) -> None:
        fact, first, second = record("a"), rule("r", "Cite sources."), rule("r", "Cite two sources.", version="v2")
        with store.unit(anchor()) as unit:
            unit.rules.add([first, second])
            unit.records.add([Entry(fact)])
            unit.rule_references.add(fact.id, [first.ref, second.ref])
            unit.rule_references.add(fact.id, [first.ref])
        with store.unit(anchor()) as unit:
            assert unit.rule_references.of(fact.id) == {first.ref, second.ref}

    def test_a_rule_or_version_that_is_not_there_cannot_be_referred_to(self, store: Store) -> None:
        fact, known = record("a"), rule("r", "Cite sources.")
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.records.add([Entry(fact)])
        for missing in (RuleRef(known.ref.rule_id, "v9"), RuleRef(uuid("nowhere"), "v1")):
            with pytest.raises(UnknownRule, match=str(missing.rule_id)), store.unit(anchor()) as unit:
                unit.rule_references.add(fact.id, [missing])

    def test_a_record_that_is_not_there_cannot_refer(self, store: Store) -> None:
        known = rule("r", "Cite sources.")
        with pytest.raises(UnknownRecord), store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.rule_references.add(record("a").id, [known.ref])

    def test_another_anchors_rule_cannot_be_referred_to(self, store: Store) -> None:
        fact, theirs = record("a"), rule("r", "Cite sources.")
        with store.unit(anchor("other")) as unit:
            unit.rules.add([theirs])
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact)])
        with pytest.raises(UnknownRule), store.unit(anchor()) as unit:
            unit.rule_references.add(fact.id, [theirs.ref])


class DecisionsContract:
    """The chain that history reads."""

    def test_the_decisions_about_a_record_come_back_in_order(self, store: Store) -> None:
        first, second = record("a").id, record("b").id
        entries = [
            DecisionEntry(
                DecisionId(uuid("3")), "supersede", START + DAY, Outcome(Decision.UPDATE, (second, first), "newer")
            ),
            DecisionEntry(DecisionId(uuid("1")), "observe", START, Outcome(Decision.ADD, (first,), "seen")),
            DecisionEntry(
                DecisionId(uuid("2")), "propose", START, Outcome(Decision.REFUSED, (), "no", rule="write-policy")
            ),
        ]
        with store.unit(anchor()) as unit:
            unit.decisions.add(entries)
        with store.unit(anchor()) as unit:
            assert unit.decisions.about(first) == [entries[1], entries[0]]
            assert unit.decisions.about(second) == [entries[0]]
            assert unit.decisions.about(record("c").id) == []
            assert unit.decisions.about_any([second, first, record("c").id]) == [entries[1], entries[0]]
            assert unit.decisions.about_any([second]) == [entries[0]]
            assert unit.decisions.about_any([]) == []
            assert [unit.decisions.get(entry.id) for entry in entries] == entries
            assert unit.decisions.get(DecisionId(uuid("nowhere"))) is None
