"""What every store keeps its word on when a scope ends."""

from __future__ import annotations

import pytest

from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.errors import KeptForGood
from lamina.domain.ids import CorroborationId, InteractionId, SessionId
from lamina.domain.record import MemoryRecord, Tags
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import CleanUp, Pointer, Standing, clean_up
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.transitions import supersede
from lamina.domain.typology import Typology
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.contracts.contradictions import contradiction, link
from lamina.testing.samples import EMBEDDING, START, anchor, entry, record, rule, uuid, vector

SESSION = SessionScope(anchor(), SessionId(uuid("session")))
TURN = InteractionScope(anchor(), SESSION.session_id, InteractionId(uuid("turn")))
ALL = Selection(include_retired=True)


def episode(name: str, scope: InteractionScope | SessionScope = TURN) -> MemoryRecord:
    """An episode of the scope."""
    return record(name, scope=scope, typology=Typology.EPISODIC, tags=Tags({"who": name}))


def end(store: Store, scope: InteractionScope | SessionScope) -> CleanUp:
    """Cleans up after a scope, as a use case does it: what may go is the domain's to say."""
    with store.unit(scope.anchor) as unit:
        cleaned = clean_up(unit.scope_cleanup.contents(scope))
        unit.scope_cleanup.detach(cleaned.removed)
    with store.unit(scope.anchor) as unit:
        unit.scope_cleanup.remove(cleaned.removed)
    return cleaned


def _spoken(name: str, about: MemoryRecord, source: MemoryRecord | None = None) -> Corroboration:
    return Corroboration(
        id=CorroborationId(uuid(name)),
        memory_id=about.id,
        source_type=SourceType.OBSERVATION_EVENT if source else SourceType.OPERATOR_INPUT,
        source_ref=source.id if source else uuid("operator"),
        corroborated_at=START,
    )


class ScopeCleanUpContract:
    """Transient memory that nothing points at goes; everything else stays, whoever asks."""

    def test_what_nothing_points_at_is_gone_for_good(self, store: Store) -> None:
        seen, known = episode("seen"), rule("r", "Cite sources.")
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
            unit.records.add([entry(seen, 1, lexemes=["cite"])])
            unit.rule_references.add(seen.id, [known.ref])
        assert end(store, TURN) == CleanUp((seen.id,), {})
        with store.unit(anchor()) as unit:
            assert unit.records.get([seen.id]) == {}
            assert unit.rule_references.of(seen.id) == frozenset()
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9) == {}
            assert unit.candidates.matching(["cite"], ALL, limit=9) == {}
            assert unit.candidates.tagged({"who": "seen"}, ALL, limit=9) == {}
        assert end(store, TURN) == CleanUp((), {}), "it can be done again"

    def test_what_is_detached_is_not_found(self, store: Store) -> None:
        seen = episode("seen")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(seen, 1, lexemes=["cite"])])
            unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9)
            unit.candidates.matching(["cite"], ALL, limit=9)
        with store.unit(anchor()) as unit:
            unit.scope_cleanup.detach([seen.id])
        with store.unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9) == {}
            assert unit.candidates.matching(["cite"], ALL, limit=9) == {}
            unit.scope_cleanup.detach([seen.id])
            assert [one.id for one in unit.scope_cleanup.contents(TURN)] == [seen.id]

    def test_a_scope_has_its_own_contents(self, store: Store) -> None:
        other_turn = InteractionScope(anchor(), SESSION.session_id, InteractionId(uuid("other turn")))
        other_session = SessionScope(anchor(), SessionId(uuid("other session")))
        there = [
            episode("in the turn"),
            episode("in another turn", other_turn),
            episode("in the session", SESSION),
            episode("elsewhere", other_session),
            record("persistent"),
        ]
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in there])
        with store.unit(anchor()) as unit:
            assert unit.scope_cleanup.contents(TURN) == [Standing(there[0].id, Tier.INTERACTION)]
            expected = sorted((Standing(one.id, one.tier) for one in there[:3]), key=lambda one: one.id)
            assert unit.scope_cleanup.contents(SESSION) == expected

    def test_what_points_at_a_record_is_told(self, store: Store) -> None:
        fact, plain, acted, spoken, evidence, doubted, other = (
            record("fact"),
            *(episode(name) for name in ("plain", "acted", "spoken", "evidence", "doubted", "other")),
        )
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(one) for one in (fact, plain, acted, spoken, evidence, doubted, other)])
            unit.action_links.add([link(acted.id)])
            unit.corroborations.add([_spoken("1", spoken), _spoken("2", fact, source=evidence)])
            unit.contradictions.add([contradiction("c", doubted.id, other.id)])
        with store.unit(anchor()) as unit:
            told = {one.id: one.pointers for one in unit.scope_cleanup.contents(TURN)}
        assert told == {
            plain.id: frozenset(),
            acted.id: {Pointer.ACTION},
            spoken.id: {Pointer.CORROBORATION},
            evidence.id: {Pointer.EVIDENCE},
            doubted.id: {Pointer.CONTRADICTION},
            other.id: {Pointer.CONTRADICTION},
        }
        assert end(store, TURN).removed == (plain.id,)
        with store.unit(anchor()) as unit:
            assert set(unit.records.get(told)) == set(told) - {plain.id}

    def test_what_was_superseded_by_a_record_is_told(self, store: Store) -> None:
        old, new = episode("old"), episode("new")
        replaced = supersede(old, new, START)
        assert isinstance(replaced, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(old), Entry(new)])
            unit.records.change(replaced)
            unit.action_links.add([link(old.id)])
        with store.unit(anchor()) as unit:
            followed = {one.id: one.followed_from for one in unit.scope_cleanup.contents(TURN)}
        assert followed == {old.id: frozenset(), new.id: {old.id}}
        assert end(store, TURN).removed == ()

    def test_what_may_not_go_is_refused(self, store: Store) -> None:
        fact, acted, spoken = record("fact"), episode("acted"), episode("spoken")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(fact, 1), entry(acted, 1), entry(spoken, 1)])
            unit.action_links.add([link(acted.id)])
            unit.corroborations.add([_spoken("1", spoken)])
        for kept in (fact, acted, spoken):
            with pytest.raises(KeptForGood, match=str(kept.id)), store.unit(anchor()) as unit:
                unit.scope_cleanup.detach([kept.id])
            with pytest.raises(KeptForGood, match=str(kept.id)), store.unit(anchor()) as unit:
                unit.scope_cleanup.remove([kept.id])
        with store.unit(anchor()) as unit:
            assert len(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9)) == 3

    def test_another_anchors_records_are_out_of_reach(self, store: Store) -> None:
        seen = episode("seen")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(seen, 1)])
        with store.unit(anchor("other")) as unit:
            unit.scope_cleanup.detach([seen.id])
        with store.unit(anchor("other")) as unit:
            unit.scope_cleanup.remove([seen.id])
        with store.unit(anchor()) as unit:
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9)) == {seen.id}
