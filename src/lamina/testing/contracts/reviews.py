"""What every store keeps its word on when records are gone through page by page."""

from __future__ import annotations

from datetime import timedelta

from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.ids import CorroborationId, InteractionId, MemoryId, SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import Pointer, Standing
from lamina.domain.state import Archived, Candidate, Exempted
from lamina.domain.transitions import archive, supersede
from lamina.domain.typology import Typology
from lamina.domain.upkeep import Reviewed
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.contracts.contradictions import link
from lamina.testing.samples import DAY, START, anchor, record, rule, uuid

SESSION = SessionScope(anchor(), SessionId(uuid("session")))
TURN = InteractionScope(anchor(), SESSION.session_id, InteractionId(uuid("turn")))


def _said(name: str, about: MemoryRecord, days: int = 0) -> Corroboration:
    return Corroboration(
        id=CorroborationId(uuid(name)),
        memory_id=about.id,
        source_type=SourceType.OPERATOR_INPUT,
        source_ref=uuid("operator"),
        corroborated_at=START + days * DAY,
        world_version="v2",
        found_in=anchor("other").id,
    )


def _in_order(*records: MemoryRecord) -> list[MemoryId]:
    return sorted(one.id for one in records)


class ReviewsContract:
    """Pages leave nothing out, and show each record with all that is known of it."""

    def test_a_record_comes_with_all_that_is_looked_at(self, store: Store) -> None:
        fact, plain, known = record("fact"), record("plain"), rule("r", "Cite sources.")
        said = [_said("second", fact, 2), _said("first", fact, 1)]
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.records.add([Entry(fact), Entry(plain)])
            unit.rule_references.add(fact.id, [known.ref])
            unit.corroborations.add(said)
            unit.action_links.add([link(fact.id)])
        replaced = supersede(plain, fact, START)
        assert isinstance(replaced, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.change(replaced)
        pointers = frozenset({Pointer.ACTION, Pointer.CORROBORATION})
        whole = Reviewed(fact, (said[1], said[0]), frozenset({known.ref}), pointers, frozenset({plain.id}))
        with store.unit(anchor()) as unit:
            assert unit.reviews.page(None, 9) == sorted([whole, Reviewed(replaced)], key=lambda one: one.record.id)
            assert unit.reviews.take(None, 9) == [whole]
            assert unit.corroborations.of_any([fact.id, plain.id]) == {fact.id: [said[1], said[0]]}
            assert unit.rule_references.of_any([fact.id, plain.id]) == {fact.id: frozenset({known.ref})}

    def test_pages_follow_one_another_by_id(self, store: Store) -> None:
        facts = [record(f"fact {number}") for number in range(7)]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in facts])
        with store.reading(anchor()) as unit:
            seen: list[MemoryId] = []
            while found := unit.reviews.page(seen[-1] if seen else None, 3):
                seen += [one.record.id for one in found]
        assert seen == _in_order(*facts)

    def test_only_persistent_records_are_gone_through(self, store: Store) -> None:
        episode = record("episode", scope=TURN, typology=Typology.EPISODIC)
        with store.unit(anchor()) as unit:
            unit.records.add(
                [Entry(episode), Entry(record("fact")), Entry(record("habit", typology=Typology.PROCEDURAL))]
            )
        with store.unit(anchor()) as unit:
            assert len(unit.reviews.page(None, 9)) == 2
            assert len(unit.reviews.take(None, 9)) == 2
        with store.unit(anchor("other")) as unit:
            assert unit.reviews.page(None, 9) == []

    def test_what_is_retired_is_not_taken(self, store: Store) -> None:
        live, held, kept, gone = (
            record("live"),
            record("held", state=Candidate(START, "held", "corroborated")),
            record("kept", state=Exempted(START, "a landmark")),
            record("gone", state=Archived(START, "stale")),
        )
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in (live, held, kept, gone)])
        with store.unit(anchor()) as unit:
            assert [one.record.id for one in unit.reviews.take(None, 9)] == _in_order(live, held, kept)
            assert [one.record.id for one in unit.reviews.page(None, 9)] == _in_order(live, held, kept, gone)

    def test_rules_come_with_every_version(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", "Cite."), rule("r", "Sign.", "v2"), rule("s", "Wait.")])
        with store.unit(anchor()) as unit:
            found = unit.rules.versions([uuid("r"), uuid("nobody")])
            assert found == {uuid("r"): {"v1": "Cite.", "v2": "Sign."}}
            assert unit.rules.versions([]) == {}

    def test_standings_are_told_by_id_whatever_the_tier(self, store: Store) -> None:
        fact, episode = record("fact"), record("episode", scope=TURN, typology=Typology.EPISODIC)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(fact), Entry(episode)])
        with store.unit(anchor()) as unit:
            told = unit.scope_cleanup.standings([episode.id, fact.id, MemoryId(uuid("nobody"))])
            assert told == sorted((Standing(one.id, one.tier) for one in (fact, episode)), key=lambda one: one.id)
            assert unit.scope_cleanup.standings([]) == []

    def test_a_session_that_nobody_holds_is_found_until_it_is_closed(self, store: Store) -> None:
        left = record("left", scope=TURN, typology=Typology.EPISODIC, recorded_at=START)
        later = SessionScope(anchor(), SessionId(uuid("later")))
        fresh = record("fresh", scope=later, typology=Typology.EPISODIC, recorded_at=START + 2 * DAY)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(left), Entry(fresh), Entry(record("fact"))])
        both = sorted((SESSION, later), key=lambda one: one.session_id)
        with store.unit(anchor()) as unit:
            assert unit.scope_cleanup.abandoned(START, None, 9) == []
            assert unit.scope_cleanup.abandoned(START + timedelta(seconds=1), None, 9) == [SESSION]
            assert unit.scope_cleanup.abandoned(START + 9 * DAY, None, 9) == both
            assert unit.scope_cleanup.abandoned(START + 9 * DAY, None, 1) == both[:1]
            assert unit.scope_cleanup.abandoned(START + 9 * DAY, both[0].session_id, 9) == both[1:]
            put_away = archive(left, START, "its session ended")
            assert isinstance(put_away, MemoryRecord)
            unit.records.change(put_away)
            assert unit.scope_cleanup.abandoned(START + DAY, None, 9) == []

    def test_every_anchor_that_has_memory_is_listed(self, store: Store) -> None:
        anchors = [anchor(name) for name in ("a", "b", "ü", "d")]
        for whose in anchors:
            with store.unit(whose) as unit:
                unit.records.add([Entry(record(f"fact of {whose}", whose))])
        listed = store.every_anchor(None, 3)
        listed += store.every_anchor(listed[-1].id, 3)
        assert listed == sorted(anchors, key=lambda one: one.id)
        assert store.every_anchor(listed[-1].id, 3) == []
