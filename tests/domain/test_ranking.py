import json
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.agents import ASSISTANT_AGENT, WORLD_AGENT
from lamina.domain.answering import SHORT
from lamina.domain.bm25 import WordByWord
from lamina.domain.decaying import Decaying
from lamina.domain.deviation import Deviation
from lamina.domain.errors import NotANumber
from lamina.domain.frozen import FrozenMap
from lamina.domain.fusion import Said
from lamina.domain.neighbourhood import LONG
from lamina.domain.outline import Outline, Outlines
from lamina.domain.periods import Period
from lamina.domain.policies.decay import Standing
from lamina.domain.ranking import Ranking
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scope import PersistentScope
from lamina.domain.scoring import ReciprocalRank, WeightedScore
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.state import Active, Exempted, State
from lamina.domain.tier import Tier
from lamina.domain.typology import CELLS, Cell, Typology
from lamina.domain.validity import Validity
from lamina.testing.samples import DAY, START, anchor, outline_of, record

MODEL = ASSISTANT_AGENT.retrieval
scores = st.dictionaries(st.integers(0, 5), st.floats(0, 1), max_size=6)
FACTS = [outline_of(record(f"{n}", typology=Typology.SEMANTIC, validity=Validity(START + n * DAY))) for n in range(6)]
OUTLINES = [outline_of(record(f"{n}", validity=Validity(START + n * DAY))) for n in range(6)]


def ranking(
    found: dict[Signal, dict[int, float]],
    outlines: list[Outline] = OUTLINES,
    model: RetrievalModel = MODEL,
    decay: float = 1.0,
    periods: Sequence[Period] = (),
) -> Ranking:
    said = {signal: Said(list(scores), list(scores.values())) for signal, scores in found.items()}
    return Ranking(
        Drawn(Outlines.of(outlines), said), Search(10, periods=periods), model, np.full(len(outlines), decay)
    )


@given(scores, scores, st.integers(1, 9), st.sampled_from([ReciprocalRank(), WeightedScore()]))
def test_as_many_come_back_as_there_are_and_best_first(
    lexical: dict[int, float], semantic: dict[int, float], limit: int, scoring: ReciprocalRank | WeightedScore
) -> None:
    model = RetrievalModel(**{**dict(MODEL), "scoring": scoring})
    best = ranking({Signal.LEXICAL: lexical, Signal.SEMANTIC: semantic}, model=model).best(limit)
    assert len(best) == min(limit, len(OUTLINES))
    assert [one.score for one in best] == sorted((one.score for one in best), reverse=True)
    for one in best:
        assert abs(sum(said.added for said in one.why.values()) - one.score) < 1e-9


@given(scores, scores, st.integers(1, 6))
def test_fewer_are_the_first_of_more(lexical: dict[int, float], semantic: dict[int, float], limit: int) -> None:
    ranked = ranking({Signal.LEXICAL: lexical, Signal.SEMANTIC: semantic})
    fewer, more = ([(one[:-1], one.why) for one in ranked.best(count)] for count in (limit, 6))
    assert fewer == more[:limit]


def test_of_nothing_nothing_comes_back() -> None:
    assert Ranking(Drawn(Outlines.of([]), {}), Search(10), MODEL, np.empty(0)).best(10) == []


def test_what_is_told_of_a_memory_is_the_same_wherever_it_was_met() -> None:
    one, other = ranking({}, OUTLINES).best(6), ranking({}, OUTLINES[::-1]).best(6)
    assert [said.place for said in one] != [said.place for said in other]
    assert one == other
    assert set(one) == set(other)
    assert one[0] != one[0]._replace(score=2.0)
    assert one[0] != one[0]._replace(confirmations=1)


def test_a_spec_hears_only_its_own_signals() -> None:
    model = RetrievalModel(
        signals=FrozenMap({Signal.LEXICAL: 1.0}), tiers=FrozenMap({Tier.PERSISTENT: 1.0}), because="words only"
    )
    found = {Signal.LEXICAL: {0: 1.0}, Signal.SEMANTIC: {5: 1.0}}
    first, second, *_ = ranking(found, model=model, decay=5.0).best(6)
    assert (first.place, set(first.why)) == (0, {Signal.LEXICAL})
    assert first.score == ReciprocalRank().most, "time does not press where it is not heard"
    assert first.decay == 5.0
    assert (second.place, second.score) == (5, 0.0), "what nobody speaks of comes last, the newest first"


def test_a_tier_weighs_what_the_spec_says() -> None:
    tiers = FrozenMap({Tier.PERSISTENT: 0.5, Tier.SESSION: 1.0})
    model = RetrievalModel(**{**dict(MODEL), "tiers": tiers})
    transient = OUTLINES[0]._replace(cell=CELLS.index(Cell(Tier.SESSION, Typology.SEMANTIC)))
    first, second = ranking({Signal.LEXICAL: {0: 1.0, 1: 1.0}}, [transient, OUTLINES[0]], model).best(2)
    assert first.place == 0
    assert first.score == 2 * second.score


def test_the_newer_of_equals_comes_first() -> None:
    assert [one.place for one in ranking({Signal.LEXICAL: {0: 1.0, 5: 1.0}}).best(2)] == [5, 0]


def test_a_time_that_is_named_counts_as_a_label() -> None:
    """Of two that answer alike, the one of that time comes first, and says why; each time counts for its share."""
    old, new = FACTS[0], FACTS[5]._replace(valid_at=FACTS[0].valid_at + 10**15)
    found = {Signal.LEXICAL: {0: 1.0, 1: 1.0}}
    named = [Period(START.year, START.month)]
    assert [one.place for one in ranking(found, [old, new]).best(2)] == [1, 0]
    first, second = ranking(found, [old, new], periods=named).best(2)
    assert (first.place, first.why[Signal.TAGS].added) == (0, MODEL.signals[Signal.TAGS])
    assert Signal.TAGS not in second.why
    (first, _) = ranking(found, [old, new], periods=[*named, Period(1950)]).best(2)
    assert first.why[Signal.TAGS].score == 0.5 * 2 * (1 - 0.25), "half of the times, which a quarter have"


def labels_added(shares: list[float], *, asked_for: bool = False) -> list[float]:
    outlines = [one._replace(labels=share) for one, share in zip(FACTS, shares, strict=False)]
    drawn, asked = Drawn(Outlines.of(outlines), {}), Search(10, finding=["k=v"] if asked_for else [])
    best = Ranking(drawn, asked, MODEL, np.ones(len(outlines))).best(len(outlines))
    added = {one.place: one.why[Signal.TAGS].added if Signal.TAGS in one.why else 0.0 for one in best}
    return [added[place] for place in range(len(outlines))]


def test_a_label_that_is_named_says_more_the_more_it_rules_out() -> None:
    weight = MODEL.signals[Signal.TAGS]
    assert labels_added([1.0, 0.0]) == [weight, 0.0], "half have it: what it would add if it were asked for"
    assert labels_added([1.0, 0.0, 0.0, 0.0, 0.0]) == [1.6 * weight, 0.0, 0.0, 0.0, 0.0]
    assert labels_added([1.0, 1.0]) == [0.0, 0.0], "all have it: it says nothing"
    assert labels_added([1.0, 0.5, 0.0]) == [weight, weight / 2, 0.0], "who has half of the labels has half of it"


def test_a_label_that_is_asked_for_counts_in_full() -> None:
    weight = MODEL.signals[Signal.TAGS]
    assert labels_added([1.0, 0.5, 1.0], asked_for=True) == [weight, weight / 2, weight]


def of_length(characters: int, typology: Typology = Typology.EPISODIC) -> Outline:
    cell = CELLS.index(Cell(Tier.PERSISTENT, typology))
    return OUTLINES[0]._replace(cell=cell, characters=characters)


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_an_episode_of_few_words_says_little(one: int, other: int) -> None:
    short, long = sorted((one, other))
    best = ranking({Signal.LEXICAL: {0: 1.0, 1: 1.0}}, [of_length(short), of_length(long)]).best(2)
    added = {ranked.place: ranked.why[Signal.LEXICAL].added for ranked in best}
    assert 0.5 <= added[0] <= added[1] < 1.0, "what it says itself counts at least half"
    assert added[0] == pytest.approx((1 + short / (short + SHORT)) / 2)


@given(st.integers(0, 5_000))
def test_what_is_around_an_episode_of_few_words_says_as_little(characters: int) -> None:
    labelled = [of_length(characters)._replace(labels=1.0), of_length(characters)]
    (first, *_) = Ranking(Drawn(Outlines.of(labelled), {}), Search(10), MODEL, np.ones(2)).best(2)
    share = characters / (characters + SHORT)
    assert first.why[Signal.TAGS].added == pytest.approx(MODEL.signals[Signal.TAGS] * share)


@given(st.integers(0, 600))
def test_what_is_around_a_question_says_half_as_much(asking: int) -> None:
    asks = of_length(600)._replace(labels=1.0, asking=asking)
    (first, *_) = Ranking(Drawn(Outlines.of([asks, of_length(600)]), {}), Search(10), MODEL, np.ones(2)).best(2)
    share = (1 - asking / 1_200) * 600 / (600 + SHORT)
    assert first.why[Signal.TAGS].added == pytest.approx(MODEL.signals[Signal.TAGS] * share)


def test_what_stands_among_what_says_the_rest_comes_first() -> None:
    """Of two that say as much, the one whose neighbours say the other words of the question, and not the same again."""
    spots = [base + away for base in (1 << 40, 1 << 50) for away in (0, 2)]
    outlines = Outlines.of([of_length(100)._replace(spot=spot) for spot in spots])
    said = WordByWord(np.array([0, 1, 2, 3]), np.array([0, 1, 0, 0]), np.ones(4))
    found = {Signal.LEXICAL: Said([0, 1, 2, 3], [1.0] * 4)}
    best = Ranking(Drawn(outlines, found, said), Search(10), MODEL, np.ones(4)).best(4)
    assert {ranked.place for ranked in best[:2]} == {0, 1}
    assert all(Signal.NEIGHBOURHOOD not in ranked.why for ranked in best[2:])
    # Half of the word comes over two positions; half of what is asked is said beside it, which closes half of the rest.
    lends = MODEL.signals[Signal.NEIGHBOURHOOD] * np.exp(-100 / LONG)
    added = (0.5 + 0.5 * 0.5) * lends * 100 / (100 + SHORT)
    assert [ranked.why[Signal.NEIGHBOURHOOD].added for ranked in best[:2]] == pytest.approx([added] * 2)


@pytest.mark.parametrize("apart", [0.5, 0.1, 1e-3, 1e-9])
def test_neighbours_never_lend_more_than_a_text_that_says_all(apart: float) -> None:
    """However near to one another the scores are that it is measured by."""
    outlines = Outlines.of([of_length(60)._replace(spot=(1 << 40) + place) for place in range(5)])
    amounts = [1.0, 1.0, 1.0, 1.0 - apart]
    others = np.array([0, 1, 3, 4])
    words = WordByWord(others, np.zeros(4, dtype=np.intp), np.array(amounts))
    best = Ranking(Drawn(outlines, {Signal.LEXICAL: Said(others, amounts)}, words), Search(10), MODEL, np.ones(5)).best(
        5
    )
    assert best[0].place != 2
    (lent,) = [ranked.why[Signal.NEIGHBOURHOOD].added for ranked in best if ranked.place == 2]
    assert lent <= MODEL.signals[Signal.LEXICAL]


@given(st.permutations(range(6)), st.lists(st.sampled_from([0.0, 1 / 3, 2 / 3, 0.2, 1.0]), min_size=6, max_size=6))
def test_the_order_of_candidates_changes_no_bit_of_what_labels_say(order: list[int], shares: list[float]) -> None:
    outlines = [outline._replace(labels=share) for outline, share in zip(OUTLINES, shares, strict=True)]
    one, other = ranking({}, outlines), ranking({}, [outlines[place] for place in order])
    assert [(hit.id, hit.score) for hit in one.best(6)] == [(hit.id, hit.score) for hit in other.best(6)]


def test_a_fact_says_all_however_short() -> None:
    for typology in (Typology.SEMANTIC, Typology.PROCEDURAL):
        (one,) = ranking({Signal.LEXICAL: {0: 1.0}}, [of_length(3, typology)]).best(1)
        assert one.why[Signal.LEXICAL].added == 1.0


def test_an_answer_says_what_was_asked_too() -> None:
    asks = of_length(SHORT)._replace(spot=1 << 40, asking=SHORT)
    answer, aside = (of_length(SHORT)._replace(spot=spot) for spot in ((1 << 40) + 1, 1 << 50))
    best = ranking({Signal.LEXICAL: {1: 1.0, 2: 1.0}}, [asks, answer, aside]).best(3)
    added = {ranked.place: ranked.why[Signal.LEXICAL].added for ranked in best if Signal.LEXICAL in ranked.why}
    assert added == {1: pytest.approx(5 / 6), 2: pytest.approx(3 / 4)}


def test_what_has_a_label_that_is_asked_for_counts_in_full_however_short() -> None:
    outlines, words = Outlines.of([of_length(3)]), WordByWord(np.array([0]), np.array([0]), np.array([1.0]))
    found = {Signal.LEXICAL: Said([0], [1.0])}
    (one,) = Ranking(Drawn(outlines, found, words), Search(10, finding=["k=v"]), MODEL, np.ones(1)).best(1)
    assert one.why[Signal.LEXICAL].added == 1.0


def test_a_word_counts_once_whoever_says_it() -> None:
    """Two that stand side by side and say the same word gain nothing, or what the other says more of it; of different
    words each gains a part."""
    here, there = (of_length(600)._replace(spot=spot) for spot in (1 << 40, (1 << 40) + 1))
    for word, less, lent in ((0, 2.0, set()), (0, 1.0, {1}), (1, 2.0, {0, 1}), (1, 1.0, {0, 1})):
        words = WordByWord(np.array([0, 1]), np.array([0, word]), np.array([2.0, less]))
        found = {Signal.LEXICAL: Said([0, 1], [2.0, less])}
        drawn = Drawn(Outlines.of([here, there]), found, words)
        best = Ranking(drawn, Search(10), MODEL, np.ones(2)).best(2)
        assert {ranked.place for ranked in best if Signal.NEIGHBOURHOOD in ranked.why} == lent


@given(st.integers(0, 40))
def test_what_asks_counts_for_less_than_what_tells(asking: int) -> None:
    tells, asks = (FACTS[0]._replace(characters=40, asking=characters) for characters in (0, asking))
    told, asked = ranking({Signal.LEXICAL: {0: 1.0, 1: 1.0}}, [tells, asks]).best(2)
    share = asked.why[Signal.LEXICAL].added / told.why[Signal.LEXICAL].added
    assert abs(share - (1 - asking / 80)) < 1e-9, "a question counts for half, and never for nothing"


NOW = START + timedelta(days=180)


def weight(typology: Typology, state: State | None = None, confirmed_at: datetime | None = None) -> float:
    one = record("a", typology=typology, scope=PersistentScope(anchor()), state=state or Active())
    return weights(ASSISTANT_AGENT, outline_of(one, confirmed_at=confirmed_at))[0]


def weights(spec: AgentMemorySpec, *outlines: Outline) -> list[float]:
    found: list[float] = Decaying(spec, NOW).weights(Outlines.of(outlines)).tolist()
    return found


def test_time_does_what_the_cell_says() -> None:
    """P7: episodes press for an outcome, facts fade until they are confirmed again, preferences stay."""
    assert weight(Typology.EPISODIC) > 1.9
    assert weight(Typology.EPISODIC, state=Exempted(START, "kept")) == 1.0
    assert weight(Typology.SEMANTIC) == 0.5
    assert weight(Typology.SEMANTIC, confirmed_at=NOW) == 1.0
    assert weight(Typology.SEMANTIC, confirmed_at=NOW + DAY) == 0.5, "nobody had confirmed it by then"
    assert weight(Typology.PROCEDURAL) == 1.0


def test_a_deviation_is_kept_to() -> None:
    assert weights(WORLD_AGENT, outline_of(record("a", typology=Typology.SEMANTIC)))[0] > 1.9


def test_each_is_weighed_by_its_own_cell() -> None:
    scope = PersistentScope(anchor())
    outlines = [outline_of(record(one, typology=one, scope=scope)) for one in Typology]
    alone = [weights(ASSISTANT_AGENT, one)[0] for one in outlines]
    assert weights(ASSISTANT_AGENT, *outlines) == alone
    assert len(set(alone)) == 3


class Stepped:
    """A model of one's own, that answers for one record at a time."""

    words = "stepped"

    def weight(self, standing: Standing, now: datetime) -> float:
        assert now == NOW
        return 10.0 if standing.unconfirmed > timedelta(days=90) else 0.1


def test_a_model_of_ones_own_is_asked_of_each() -> None:
    own = Deviation(value=Stepped(), justification="To see it asked.")
    spec = ASSISTANT_AGENT.model_copy(update={"decay": {Typology.SEMANTIC: own}})
    old = record("a", typology=Typology.SEMANTIC, scope=PersistentScope(anchor()))
    assert weights(spec, outline_of(old), outline_of(old, confirmed_at=NOW - DAY)) == [10.0, 0.1]


def test_where_only_ranks_count_a_question_counts_in_full() -> None:
    """Half of the first rank would be less than the last: it would come behind whatever else was found."""
    model = RetrievalModel(**{**dict(MODEL), "scoring": ReciprocalRank()})
    asks = OUTLINES[0]._replace(characters=10, asking=10)
    found = {Signal.LEXICAL: {place: 6.0 - place for place in range(6)}}
    assert ranking(found, [asks, *OUTLINES[1:]], model).best(1)[0].place == 0


def test_a_cosine_is_rounded_as_a_double_whatever_the_store_gives() -> None:
    """As single precision 0.1234567 rounds to a number that no other store gives."""
    single = Said(np.array([0]), np.array([0.1234567], dtype=np.float32))
    drawn = Drawn(Outlines.of(OUTLINES[:1]), {Signal.SEMANTIC: single})
    (one,) = Ranking(drawn, Search(10), MODEL, np.ones(1)).best(1)
    assert one.why[Signal.SEMANTIC].score == 0.1235


def test_what_is_told_are_plain_numbers() -> None:
    scope = PersistentScope(anchor())
    outlines = Outlines.of([outline_of(record("a", typology=Typology.PROCEDURAL, scope=scope))])
    decay = Decaying(ASSISTANT_AGENT, NOW).weights(outlines)
    (one,) = Ranking(Drawn(outlines, {Signal.LEXICAL: Said([0], [1.0])}), Search(1), MODEL, decay).best(1)
    told = [one.score, one.decay, *(number for said in one.why.values() for number in said)]
    assert {type(number) for number in told} == {int, float}
    assert type(one.decay) is float
    assert json.loads(json.dumps(one.why))["lexical"] == [1, 1.0, 1.0]


def test_a_decay_that_is_no_number_is_named() -> None:
    with pytest.raises(NotANumber, match="decay of candidate 0"):
        ranking({}, decay=float("nan"))
