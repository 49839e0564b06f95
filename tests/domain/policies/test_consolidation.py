from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.claim import Claim
from lamina.domain.policies.consolidation import (
    AppendWithSupersession,
    CompoundAtBoundary,
    ConsolidationPolicy,
    MergeByJudge,
    Relation,
)
from lamina.domain.record import MemoryRecord
from lamina.domain.substance import change_between
from lamina.testing.spec_strategies import consolidations
from lamina.testing.strategies import records

similarities = st.floats(0, 1)


@given(consolidations, records(), records(), similarities)
def test_only_a_record_of_the_same_claim_is_replaced(
    policy: ConsolidationPolicy, older: MemoryRecord, newer: MemoryRecord, similarity: float
) -> None:
    if policy.relate(older, newer, similarity) is Relation.REPLACED:
        assert older.claim is not None
        assert newer.claim is not None
        assert older.claim.key == newer.claim.key


@given(records(), records(), similarities)
def test_episodes_are_the_same_only_if_nothing_that_matters_differs(
    older: MemoryRecord, newer: MemoryRecord, similarity: float
) -> None:
    same = CompoundAtBoundary().relate(older, newer, similarity) is Relation.SAME
    assert same == (similarity >= 0.95 and change_between(older.body, newer.body) is None)


@given(records(), records(), similarities)
def test_facts_about_one_thing_or_alike_go_to_the_judge(
    older: MemoryRecord, newer: MemoryRecord, similarity: float
) -> None:
    claim = Claim("gate", "requires", "citations")
    assert MergeByJudge().relate(replace(older, claim=claim), replace(newer, claim=claim), 0) is Relation.OVERLAPPING
    alike = MergeByJudge().relate(replace(older, claim=None), newer, similarity)
    assert (alike is Relation.OVERLAPPING) == (similarity >= 0.85)


@given(records())
def test_exactly_the_threshold_counts(one: MemoryRecord) -> None:
    assert CompoundAtBoundary().relate(one, one, 0.95) is Relation.SAME
    other = replace(one, claim=None)
    assert MergeByJudge().relate(other, other, 0.85) is Relation.OVERLAPPING


@given(records(), records())
def test_the_latest_preference_replaces_the_prior(older: MemoryRecord, newer: MemoryRecord) -> None:
    claim, other = Claim("operator 7", "style", "concise"), Claim("operator 7", "style", "exhaustive")
    policy = AppendWithSupersession()
    assert policy.relate(replace(older, claim=claim), replace(newer, claim=other), 0) is Relation.REPLACED
    assert policy.relate(replace(older, claim=None), newer, 1) is Relation.APART


@pytest.mark.parametrize(
    ("one", "other", "change"),
    [
        ("The gate wants citations", "the gate wants citations.", None),
        ("The gate wants citations", "A gate really wants the citations", None),
        ("Prefers concise outputs", "Prefers concise distilled outputs", "'outputs' became 'distilled'"),
        ("version 1.2", "version 1.3", "'1.2' became '1.3'"),
        ("due 2026-01-02", "due 2026-02-01", "'2026-01-02' became '2026-02-01'"),
        ("x > 5", "x < 5", "'>' became '<'"),
        ("it is -5", "it is 5", "'-5' became '5'"),
        ("costs $5", "costs €5", "'$5' became '€5'"),
        ("up by 5%", "up by 5", "'5%' became '5'"),
        ("from here to there", "to here from there", "'from' became 'to'"),
        ("tea and coffee", "tea or coffee", "'and' became 'or'"),
        ("it is open", "it was open", "'is' became 'was'"),
        ("Alice paid Bob", "Bob paid Alice", "'Alice' became 'Bob'"),
        ("It is allowed", "It is never allowed", "'allowed' became 'never'"),
        ("It does work", "It doesn't work", "'does' became \"doesn't\""),
        ("They met", "They met in Paris", "'in' is in one of them only"),
        ("only members", "members", "'only' became 'members'"),
        ("cats chase dogs", "dogs chase cats", "'cats' became 'dogs'"),
        ("東京に住む", "大阪に住む", "'東京に住む' became '大阪に住む'"),
        ("", "", None),
    ],
)
def test_what_a_reader_must_not_miss(one: str, other: str, change: str | None) -> None:
    assert change_between(one, other) == change


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_change_is_a_change_both_ways(one: str, other: str) -> None:
    assert change_between(one, one) is None
    assert (change_between(one, other) is None) == (change_between(other, one) is None)
