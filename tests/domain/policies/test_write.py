import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.errors import NotANumber, OutOfRange
from lamina.domain.policies.write import Attempt, AutoWrite, Route, StatedOrExtracted, ThroughPromotion, WritePolicy
from lamina.testing.spec_strategies import shares, writes

draws = st.floats(0, 1, exclude_max=True)
attempts = st.builds(Attempt, st.sampled_from(Route), shares, draws)


@given(attempts)
def test_facts_come_through_promotion_only(attempt: Attempt) -> None:
    assert (ThroughPromotion().admit(attempt) is None) == (attempt.route is Route.PROMOTION)


@given(attempts, shares)
def test_preferences_are_stated_or_extracted_confidently(attempt: Attempt, confidence: float) -> None:
    admitted = StatedOrExtracted(confidence=confidence).admit(attempt) is None
    confident = attempt.route is Route.EXTRACTED and attempt.confidence >= confidence
    assert admitted == (attempt.route is Route.STATED or confident)


@given(draws, shares, shares)
def test_a_larger_sample_takes_all_that_a_smaller_one_takes(draw: float, one: float, other: float) -> None:
    smaller, larger = (AutoWrite(sampling=share) for share in sorted((one, other)))
    attempt = Attempt(Route.OBSERVATION, draw=draw)
    assert larger.admit(attempt) is None or smaller.admit(attempt) is not None


@given(draws, shares)
def test_episodes_are_observed_or_moved_up(draw: float, sampling: float) -> None:
    policy = AutoWrite(sampling=sampling)
    assert policy.admit(Attempt(Route.PROMOTION, draw=draw)) is None
    for route in (Route.STATED, Route.EXTRACTED):
        assert policy.admit(Attempt(route, draw=draw)) is not None


@given(draws)
def test_the_whole_sample_takes_everything_and_none_takes_nothing(draw: float) -> None:
    assert AutoWrite(sampling=1).admit(Attempt(Route.OBSERVATION, draw=draw)) is None
    assert AutoWrite(sampling=0).admit(Attempt(Route.OBSERVATION, draw=draw)) is not None


@given(writes, attempts)
def test_a_refusal_names_the_gate_and_the_verb_or_number(policy: WritePolicy, attempt: Attempt) -> None:
    refusal = policy.admit(attempt)
    if refusal is not None:
        assert refusal.rule == "write-policy"
        assert "()" in refusal.reason or any(character.isdigit() for character in refusal.reason)


def test_bad_attempts() -> None:
    with pytest.raises(NotANumber, match="confidence is nan"):
        Attempt(Route.EXTRACTED, confidence=math.nan)
    with pytest.raises(OutOfRange, match="draw is -0.1"):
        Attempt(Route.OBSERVATION, draw=-0.1)
    with pytest.raises(OutOfRange, match="confidence is 1.5; give a number from 0 to 1"):
        Attempt(Route.EXTRACTED, confidence=1.5)
