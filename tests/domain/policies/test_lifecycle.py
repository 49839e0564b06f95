from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.policies.lifecycle import (
    Circumstances,
    DisposeByForcing,
    DropAtScopeEnd,
    Fate,
    LifecyclePolicy,
    PersistIndefinitely,
    TrackCorroboration,
)
from lamina.testing.spec_strategies import lifecycles
from lamina.testing.strategies import durations

circumstances = st.builds(
    Circumstances,
    age=durations(),
    scope_ended=st.booleans(),
    disposed=st.booleans(),
    action_linked=st.booleans(),
    failures_in_a_row=st.integers(0, 8),
    canonical_source_changed=st.booleans(),
    explicitly_invalidated=st.booleans(),
)


@given(lifecycles, circumstances)
def test_what_an_action_rests_on_is_never_dropped(policy: LifecyclePolicy, now: Circumstances) -> None:
    review = policy.review(now)
    assert review.reason
    assert not (now.action_linked and review.fate is Fate.DROP)


@given(circumstances)
def test_transient_episodes_go_with_their_scope(now: Circumstances) -> None:
    dropped = DropAtScopeEnd().review(now).fate is Fate.DROP
    assert dropped == (now.scope_ended and not now.action_linked)


@given(circumstances, st.integers(1, 8))
def test_facts_are_archived_by_failures_in_a_row_or_a_changed_source(now: Circumstances, failures: int) -> None:
    archived = TrackCorroboration(failures=failures).review(now).fate is Fate.ARCHIVE
    assert archived == (now.failures_in_a_row >= failures or now.canonical_source_changed or now.explicitly_invalidated)


def test_an_archived_fact_knows_why() -> None:
    policy = TrackCorroboration(failures=2)
    assert policy.review(Circumstances(canonical_source_changed=True)).reason == "its canonical source changed"
    assert policy.review(Circumstances(failures_in_a_row=2)).reason == "2 corroborations in a row failed"
    assert policy.review(Circumstances(explicitly_invalidated=True)).reason == "explicitly invalidated"


@given(circumstances)
def test_preferences_end_by_explicit_invalidation_only(now: Circumstances) -> None:
    assert (PersistIndefinitely().review(now).fate is Fate.ARCHIVE) == now.explicitly_invalidated


@pytest.mark.parametrize(
    ("now", "fate", "reason"),
    [
        (Circumstances(age=timedelta(days=89)), Fate.KEEP, "1 day left to dispose of it"),
        (Circumstances(age=timedelta(days=90)), Fate.DISPOSE, "undisposed for 90 days, 90 days is the limit"),
        (Circumstances(age=timedelta(days=900), disposed=True), Fate.KEEP, "already disposed of"),
        (Circumstances(explicitly_invalidated=True), Fate.ARCHIVE, "explicitly invalidated"),
    ],
)
def test_persistent_episodes_must_come_to_an_outcome(now: Circumstances, fate: Fate, reason: str) -> None:
    review = DisposeByForcing().review(now)
    assert (review.fate, review.reason) == (fate, reason)
