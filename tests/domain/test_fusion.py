import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.errors import NotANumber, OutOfRange
from lamina.domain.fusion import EVERYONE, Fusion, Heard, Said, checked
from lamina.domain.scoring import ReciprocalRank, Scoring, WeightedScore
from lamina.domain.signals import Signal
from lamina.testing.spec_strategies import scorings
from lamina.testing.strategies import signal_scores

A, B, C, *_ = PLACES = list(range(6))
Found = dict[Signal, dict[int, float]]
Weights = dict[Signal, float]


def none_below_nothing(found: Found) -> Found:
    """Nobody has less than nothing of what is shared out."""
    shared = {Signal.TAGS, Signal.NEIGHBOURHOOD}
    return {
        signal: {place: abs(score) for place, score in scores.items()} if signal in shared else scores
        for signal, scores in found.items()
    }


found_scores = signal_scores(PLACES).map(none_below_nothing)
signal_weights = st.fixed_dictionaries({signal: st.floats(0, 10) for signal in Signal})


def fuse(found: Found, weights: Weights, scoring: Scoring) -> Fusion:
    said = {signal: checked(signal, Said(list(some), list(some.values()))) for signal, some in found.items()}
    return Fusion(said, len(PLACES), weights, scoring)


def added(scoring: Scoring, scores: list[float], weight: float) -> list[float]:
    given: list[float] = scoring.additions(np.array(scores), weight).tolist()
    return given


@given(found_scores, signal_weights, scorings)
def test_the_order_of_arrival_does_not_matter(found: Found, weights: Weights, scoring: Scoring) -> None:
    backwards = {signal: dict(reversed(scores.items())) for signal, scores in reversed(found.items())}
    one, other = fuse(backwards, weights, scoring), fuse(found, weights, scoring)
    assert one.scores.tolist() == other.scores.tolist()
    assert one.why(PLACES) == other.why(PLACES)


@given(found_scores, signal_weights, scorings)
def test_whoever_is_no_worse_in_any_signal_never_ranks_lower(found: Found, weights: Weights, scoring: Scoring) -> None:
    fused = fuse(found, weights, scoring).scores
    for one in PLACES:
        for other in PLACES:
            if all(scores.get(one, -math.inf) >= scores.get(other, -math.inf) for scores in found.values()):
                assert fused[one] >= fused[other]


@given(found_scores, signal_weights, scorings)
def test_every_candidate_says_why(found: Found, weights: Weights, scoring: Scoring) -> None:
    fused = fuse(found, weights, scoring)
    for place, why in zip(PLACES, fused.why(PLACES), strict=True):
        spoken = {signal for signal, scores in found.items() if place in scores}
        assert set(why) == {one for one in spoken if found[one][place] or one is not Signal.NEIGHBOURHOOD}
        assert fused.scores[place] == pytest.approx(sum(said.added for said in why.values()))
        assert all(said.score == found[signal][place] for signal, said in why.items())


def test_reciprocal_rank_is_the_textbooks() -> None:
    fused = fuse(
        {Signal.SEMANTIC: {A: 0.9, B: 0.5}, Signal.LEXICAL: {B: 3.0, C: 1.0}},
        {Signal.SEMANTIC: 1.0, Signal.LEXICAL: 2.0},
        ReciprocalRank(),
    ).scores
    assert fused[A] == 1 / 61
    assert fused[B] == pytest.approx(1 / 62 + 2 / 61)
    assert fused[C] == 2 / 62


def test_equal_scores_share_a_rank() -> None:
    for scoring in (ReciprocalRank(), WeightedScore()):
        why = fuse({Signal.LEXICAL: {A: 1.0, B: 1.0, C: 0.5}}, {Signal.LEXICAL: 1.0}, scoring).why([A, B, C])
        assert [one[Signal.LEXICAL].rank for one in why] == [1, 1, 3]
    assert added(ReciprocalRank(k=0), [1.0, 1.0, 0.5], 1.0) == [1.0, 1.0, 1 / 3]


def test_weighted_scores_are_stretched_to_one_range() -> None:
    assert added(WeightedScore(), [10.0, 5.0, 0.0], 2.0) == [2.0, 1.0, 0.0]
    assert added(WeightedScore(), [7.0, 7.0], 1.0) == [1.0, 1.0]
    assert added(WeightedScore(), [], 1.0) == []


def test_a_signal_without_a_weight_is_not_heard() -> None:
    assert fuse({Signal.TAGS: {A: 1.0}}, {}, ReciprocalRank()).scores[A] == 0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_named(bad: float) -> None:
    with pytest.raises(NotANumber, match=f"semantic score of candidate {A}"):
        fuse({Signal.SEMANTIC: {A: bad}}, {Signal.SEMANTIC: 1.0}, ReciprocalRank())
    with pytest.raises(NotANumber, match="weight of semantic"):
        fuse({Signal.SEMANTIC: {A: 1.0}}, {Signal.SEMANTIC: bad}, ReciprocalRank())


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(OutOfRange, match="weight of semantic is -1"):
        fuse({Signal.SEMANTIC: {A: 1.0}}, {Signal.SEMANTIC: -1.0}, ReciprocalRank())


def test_what_neighbours_lend_is_neither_ranked_nor_stretched() -> None:
    """Else long texts, which borrow next to nothing, would be ordered by it."""
    for scoring in (ReciprocalRank(), WeightedScore()):
        lent = fuse({Signal.NEIGHBOURHOOD: {A: 0.002, B: 0.001}}, {Signal.NEIGHBOURHOOD: 0.5}, scoring)
        assert lent.scores[:2].tolist() == [0.002, 0.001], "its weight is in it already"


@given(st.sampled_from(Signal), st.lists(st.floats(0, 9), min_size=1, max_size=9), scorings)
def test_to_say_something_of_everyone_is_to_say_it_of_each(
    signal: Signal, scores: list[float], scoring: Scoring
) -> None:
    count, weights = len(scores), {signal: 0.5}
    each = Fusion({signal: Heard(np.arange(count), np.array(scores))}, count, weights, scoring)
    all_at_once = Fusion({signal: Heard(EVERYONE, np.array(scores))}, count, weights, scoring)
    assert all_at_once.scores.tolist() == each.scores.tolist()
    assert all_at_once.why(range(count)) == each.why(range(count))


@pytest.mark.parametrize("scoring", [ReciprocalRank(), ReciprocalRank(k=0), WeightedScore()])
def test_the_best_of_a_signal_adds_the_most(scoring: Scoring) -> None:
    assert max(added(scoring, [3.0, 1.0], 1.0)) == scoring.most
