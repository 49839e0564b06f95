from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.policies.conflict import (
    Accumulate,
    ConflictPolicy,
    Incoming,
    Neighbour,
    Resolution,
    Supersede,
    TemporalUpdate,
)
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import PersistentScope
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.spec_strategies import conflicts
from lamina.testing.strategies import claims, instants, records, texts

DAY = timedelta(days=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
CLAIM = Claim("gate", "requires", "citations")
OTHER = Claim("gate", "requires", "signatures")
RULES: list[ConflictPolicy] = [TemporalUpdate(), Supersede()]

incomings = st.builds(Incoming, texts(), st.none() | claims(), instants())
neighbours = st.lists(st.builds(Neighbour, records(), st.floats(0, 1)), max_size=5)


def known(number: int, claim: Claim | None, start: int, end: int | None = None, body: str = "a fact") -> Neighbour:
    validity = Validity(START + start * DAY, None if end is None else START + end * DAY)
    anchor = Anchor((("user_id", "u"),))
    return Neighbour(
        MemoryRecord(
            id=MemoryId(UUID(int=number)),
            scope=PersistentScope(anchor),
            typology=Typology.SEMANTIC,
            body=body,
            recorded_at=START,
            validity=validity,
            claim=claim,
        ),
        0.99,
    )


def said(claim: Claim | None, day: int, body: str = "a fact") -> Incoming:
    return Incoming(body, claim, START + day * DAY)


@given(conflicts, incomings, neighbours)
def test_the_new_one_always_survives_or_is_there_already(
    policy: ConflictPolicy, incoming: Incoming, neighbours: list[Neighbour]
) -> None:
    resolution = policy.resolve(incoming, neighbours)
    assert resolution.decision in (Decision.ADD, Decision.UPDATE, Decision.NOOP)
    assert resolution.reason
    if resolution.decision is Decision.NOOP:
        old = next(one.record for one in neighbours if one.record.id == resolution.about)
        assert incoming.claim is None or (old.claim and old.claim.agrees_with(incoming.claim))


@given(conflicts, incomings, neighbours)
def test_only_a_record_of_the_same_subject_and_aspect_is_retired(
    policy: ConflictPolicy, incoming: Incoming, neighbours: list[Neighbour]
) -> None:
    resolution = policy.resolve(incoming, neighbours)
    if resolution.decision is Decision.UPDATE:
        old = next(one.record for one in neighbours if one.record.id == resolution.about)
        assert incoming.claim is not None
        assert old.claim is not None
        assert old.claim.key == incoming.claim.key
        assert not old.claim.agrees_with(incoming.claim)


@given(incomings, neighbours)
def test_episodes_accumulate(incoming: Incoming, neighbours: list[Neighbour]) -> None:
    assert Accumulate().resolve(incoming, neighbours) == Resolution(Decision.ADD, "episodes accumulate")


@given(st.data(), incomings, neighbours)
def test_the_order_of_neighbours_does_not_matter(
    data: st.DataObject, incoming: Incoming, some: list[Neighbour]
) -> None:
    # As a store keeps them: no two live claims of one key overlap.
    some = [one for one in some if not one.record.claim]
    policy = data.draw(conflicts)
    assert policy.resolve(incoming, some) == policy.resolve(incoming, data.draw(st.permutations(some)))


@pytest.mark.parametrize("policy", RULES)
class TestOnTheTimeLine:
    def test_another_value_is_an_update(self, policy: ConflictPolicy) -> None:
        old = known(1, CLAIM, start=0)
        resolution = policy.resolve(said(OTHER, day=5), [old])
        assert (resolution.decision, resolution.about, resolution.until) == (Decision.UPDATE, old.record.id, None)

    def test_the_same_value_is_a_corroboration(self, policy: ConflictPolicy) -> None:
        old = known(1, Claim("Gate ", "REQUIRES", "Citations"), start=0)
        resolution = policy.resolve(said(CLAIM, day=5), [old])
        assert (resolution.decision, resolution.about) == (Decision.NOOP, old.record.id)

    def test_a_backdated_fact_ends_where_the_next_begins(self, policy: ConflictPolicy) -> None:
        resolution = policy.resolve(said(OTHER, day=-5), [known(1, CLAIM, start=0)])
        assert (resolution.decision, resolution.about, resolution.until) == (Decision.ADD, None, START)
        assert not resolution.opens_contradiction

    def test_a_fact_backdated_into_another_ones_time_ends_with_it(self, policy: ConflictPolicy) -> None:
        line = [known(1, CLAIM, start=0, end=10), known(2, OTHER, start=10)]
        resolution = policy.resolve(said(OTHER, day=5), line)
        assert (resolution.decision, resolution.about, resolution.until) == (
            Decision.UPDATE,
            line[0].record.id,
            START + 10 * DAY,
        )

    def test_a_correction_of_the_very_beginning_is_an_update(self, policy: ConflictPolicy) -> None:
        assert policy.resolve(said(OTHER, day=0), [known(1, CLAIM, start=0)]).decision is Decision.UPDATE

    def test_a_fact_between_two_others_ends_where_the_next_begins(self, policy: ConflictPolicy) -> None:
        line = [known(1, CLAIM, start=10, end=20), known(2, OTHER, start=20), known(3, CLAIM, start=0, end=2)]
        resolution = policy.resolve(said(OTHER, day=5), line)
        assert (resolution.decision, resolution.until) == (Decision.ADD, START + 10 * DAY)

    def test_a_fact_takes_over_the_end_of_the_one_that_it_ends(self, policy: ConflictPolicy) -> None:
        old = known(1, CLAIM, start=0, end=10)
        resolution = policy.resolve(said(OTHER, day=0), [old])
        assert (resolution.decision, resolution.until) == (Decision.UPDATE, START + 10 * DAY)

    def test_what_is_nearest_counts_and_exactly_near_is_near(self, policy: ConflictPolicy) -> None:
        same = replace(known(1, None, 0, body="The gate wants citations"), similarity=0.9)
        far = replace(known(2, None, 0, body="Lunch is at noon"), similarity=0.2)
        for order in ([same, far], [far, same]):
            assert policy.resolve(said(None, 5, body="the gate wants citations"), order).about == same.record.id
        nearly = [replace(same, similarity=0.89)]
        assert policy.resolve(said(None, 5, body="the gate wants citations"), nearly).about is None

    def test_equally_near_ones_are_told_apart_by_id(self, policy: ConflictPolicy) -> None:
        twins = [known(number, None, 0, body="The gate wants citations") for number in (1, 2)]
        chosen = {
            policy.resolve(said(None, 5, body="The gate wants citations"), order).about
            for order in (twins, twins[::-1])
        }
        assert chosen == {twins[1].record.id}

    def test_another_aspect_is_another_matter(self, policy: ConflictPolicy) -> None:
        resolution = policy.resolve(said(Claim("gate", "colour", "red"), day=5), [known(1, CLAIM, start=0)])
        assert resolution == Resolution(Decision.ADD, "nothing was known of it")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("The limit is 30 days", "The limit is 90 days"),
            ("Armenia is on the list", "Argentina is on the list"),
            ("Signatures are accepted", "Signatures are not accepted"),
            ("The operator drinks tea", "The operator drinks coffee"),
        ],
    )
    def test_a_changed_value_number_name_or_negation_is_never_a_noop(
        self, policy: ConflictPolicy, old: str, new: str
    ) -> None:
        resolution = policy.resolve(said(None, 5, body=new), [known(1, None, 0, body=old)])
        assert resolution.decision is Decision.ADD
        assert resolution.opens_contradiction

    def test_the_same_words_again_are_a_corroboration(self, policy: ConflictPolicy) -> None:
        old = known(1, None, 0, body="The gate wants citations.")
        assert policy.resolve(said(None, 5, body="the gate wants citations"), [old]).decision is Decision.NOOP

    def test_what_is_not_near_is_added(self, policy: ConflictPolicy) -> None:
        far = replace(known(1, None, 0, body="The gate wants citations"), similarity=0.3)
        assert policy.resolve(said(None, 5, body="Lunch is at noon"), [far]).decision is Decision.ADD


def test_facts_are_invalidated_and_preferences_superseded() -> None:
    assert not TemporalUpdate.supersedes
    assert Supersede.supersedes
