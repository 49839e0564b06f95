from dataclasses import replace
from uuid import UUID

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.bm25 import NO_WORDS, WordByWord
from lamina.domain.ids import SessionId
from lamina.domain.neighbourhood import REACH, Borrowed, Line, Near, Text, asking, borrowed, closing
from lamina.domain.outline import Outline, Outlines
from lamina.domain.record import Origin
from lamina.testing.samples import outline_of, record

SESSION, OTHER = SessionId(UUID(int=1)), SessionId(UUID(int=2))


def said(position: int, session: SessionId = SESSION, characters: int = 30, body: str = "") -> Outline:
    one = record(f"{session} {position}", origin=Origin(session, None, position))
    return outline_of(replace(one, body=body or "x" * characters))


positions = st.lists(st.integers(0, 12), min_size=1, max_size=10)
scores = st.floats(0, 2, allow_subnormal=False)


def borrowing(outlines: list[Outline], meaning: list[float], words: WordByWord = NO_WORDS) -> Borrowed:
    drawn = Outlines.of(outlines)
    text = Text(drawn.characters, asking(drawn), np.ones(len(drawn)))
    return borrowed(Line(drawn.spots), text, Near(np.arange(len(drawn)), np.array(meaning)), words, 1.0)


def lent_to(outlines: list[Outline], evidence: list[float]) -> dict[int, float]:
    lent = borrowing(outlines, evidence).meaning
    return {place: share for place, share in enumerate(lent.tolist()) if share}


def worded(said: list[dict[int, float]]) -> WordByWord:
    rows = [(place, word, added) for place, one in enumerate(said) for word, added in one.items()]
    places, words, added = zip(*rows, strict=True) if rows else ((), (), ())
    return WordByWord(np.array(places, dtype=int), np.array(words, dtype=int), np.array(added, dtype=float))


def words_of(outlines: list[Outline], said: list[dict[int, float]]) -> tuple[list[float], list[float]]:
    """What the words of each come to alone, and together with those of its neighbours."""
    found = borrowing(outlines, [0.0] * len(outlines), worded(said))
    return found.alone.tolist(), found.together.tolist()


def beside(outlines: list[Outline], said: list[dict[int, float]]) -> list[float]:
    """The share of all that is asked which is said beside each, and not by it."""
    shares: list[float] = borrowing(outlines, [0.0] * len(outlines), worded(said)).beside.tolist()
    return shares


@given(st.data(), positions)
def test_only_what_stands_near_in_the_same_session_lends(data: st.DataObject, places: list[int]) -> None:
    evidence = data.draw(st.lists(scores, min_size=len(places), max_size=len(places)))
    outlines = [said(position) for position in places]
    found = lent_to(outlines, evidence)
    for place, position in enumerate(places):
        near = [
            score
            for other, score in zip(places, evidence, strict=True)
            if 0 < abs(other - position) <= REACH and score > 0
        ]
        assert (place in found) == bool(near)
        if near:
            assert 0 < found[place] <= sum(near)


def test_another_session_lends_nothing_and_nobody_lends_to_itself() -> None:
    assert lent_to([said(0), said(1, OTHER)], [1.0, 0.0]) == {}
    assert lent_to([outline_of(record("a")), outline_of(record("b"))], [1.0, 0.0]) == {}


def test_a_record_and_its_copy_count_once() -> None:
    once = lent_to([said(0), said(1)], [1.0, 0.0])[1]
    twice = lent_to([said(0), said(1), said(0)], [1.0, 0.0, 1.0])
    assert twice[1] == once
    assert 0 not in twice, "a copy is no neighbour"


@given(st.integers(1, 5_000), st.integers(1, 5_000))
def test_a_longer_text_borrows_less(one: int, other: int) -> None:
    shorter, longer = sorted((one, other))
    found = lent_to([said(0), said(1, characters=shorter), said(1, characters=longer)], [1.0, 0.0, 0.0])
    assert found[2] <= found[1] <= 1


def test_what_is_further_away_lends_less() -> None:
    found = lent_to([said(5), said(6), said(7), said(8)], [1.0, 0.0, 0.0, 0.0])
    assert found[1] > found[2]
    assert 3 not in found


@given(st.permutations(range(6)), st.lists(scores, min_size=6, max_size=6))
def test_the_order_of_arrival_changes_no_bit(order: list[int], evidence: list[float]) -> None:
    outlines = [said(position) for position in range(6)]
    one = lent_to(outlines, evidence)
    other = lent_to([outlines[place] for place in order], [evidence[place] for place in order])
    assert one == {order[place]: score for place, score in other.items()}


def test_what_a_text_asks_the_next_one_answers() -> None:
    """A question lends on twice as much, and nothing back; half of one, half as much of that."""
    told = lent_to([said(4), said(5), said(6)], [0.0, 1.0, 0.0])
    asked = lent_to([said(4), said(5, body="And what did they say then?"), said(6)], [0.0, 1.0, 0.0])
    assert told[0] == told[2]
    assert asked == {2: 2 * told[2]}
    half = lent_to([said(4), said(5, body="Fine. And?"), said(6)], [0.0, 1.0, 0.0])
    assert half[0] == told[0] * 0.5
    assert half[2] == told[2] * 1.5


def test_a_closing_question_begins_behind_the_last_stop() -> None:
    asked = {"Why?": 4, "I see. Why?": 5, "No! And you? ": 10, "Why? Because.": 0, "?": 1, "": 0, " ? \n": 4, "a.b?": 2}
    assert {body: closing(body) for body in asked} == asked


def test_two_texts_at_one_spot_lend_the_same_in_any_order() -> None:
    asks, tells, near = said(0, body="And then, where did they all go?"), said(0), said(1)
    one, other = lent_to([asks, tells, near], [1.0, 1.0, 0.0]), lent_to([tells, asks, near], [1.0, 1.0, 0.0])
    assert one == other


NEAR = [said(0, characters=1), said(1, characters=1)]


def test_a_word_that_a_record_says_itself_is_not_borrowed_too() -> None:
    alone, together = words_of(NEAR, [{0: 2.0}, {0: 2.0}])
    assert alone == together == [2.0, 2.0]
    alone, together = words_of(NEAR, [{0: 2.0}, {1: 3.0}])
    assert alone == [2.0, 3.0]
    assert together[0] > alone[0], "what it does not say itself, what stands beside it does"
    assert together[0] + together[1] < 2 * (2.0 + 3.0), "and never as if it had said so"


@given(st.lists(st.dictionaries(st.integers(0, 3), st.floats(0.1, 2)), min_size=1, max_size=8))
def test_what_is_said_beside_a_record_is_told_as_a_share(words: list[dict[int, float]]) -> None:
    """Of each word how much more anybody in reach has than it has itself, of the most that anybody has."""
    places = [3 * place // 2 for place in range(len(words))]
    most = sum(max(some.get(word, 0.0) for some in words) for word in range(4)) or 1.0
    for place, share in enumerate(beside([said(position) for position in places], words)):
        near = [some for at, some in zip(places, words, strict=True) if 0 < abs(at - places[place]) <= REACH]
        more = [max([own, *(some.get(word, 0.0) for some in near)]) - own for word, own in _each(words[place])]
        come_to = sum(more)
        assert np.isclose(share, come_to / most)


def _each(words: dict[int, float]) -> list[tuple[int, float]]:
    return [(word, words.get(word, 0.0)) for word in range(4)]


def test_how_far_away_it_is_said_does_not_matter_within_reach() -> None:
    line = [said(position, characters=1) for position in range(4)]
    shares = beside(line, [{0: 1.0}, {}, {}, {}])
    assert shares[1] == shares[2] > 0
    assert shares[0] == shares[3] == 0


def test_what_two_at_one_spot_say_is_beside_neither() -> None:
    copied = [*NEAR, said(0, characters=1)]
    assert beside(copied, [{0: 1.0}, {}, {0: 1.0}])[0] == beside(copied, [{0: 1.0}, {}, {0: 1.0}])[2] == 0
    assert beside(copied, [{0: 1.0}, {}, {0: 1.0}])[1] == beside(NEAR, [{0: 1.0}, {}])[1] > 0


@given(
    st.lists(st.dictionaries(st.integers(0, 3), st.floats(0.1, 2)), min_size=1, max_size=8),
    st.permutations(range(8)),
)
def test_words_are_borrowed_from_whoever_stands_near(words: list[dict[int, float]], order: list[int]) -> None:
    """Whoever says nothing borrows something exactly if somebody near it says something; in any order of arrival."""
    outlines = [said(3 * place // 2) for place in range(len(words))]
    alone, together = words_of(outlines, words)
    for place, (own, whole) in enumerate(zip(alone, together, strict=True)):
        near = [some for other, some in enumerate(words) if 0 < abs(3 * other // 2 - 3 * place // 2) <= REACH and some]
        assert whole >= own
        if not words[place]:
            assert (whole > 0) == bool(near)
    moved = [place for place in order if place < len(words)]
    other_alone, other_together = words_of([outlines[place] for place in moved], [words[place] for place in moved])
    assert other_alone == [alone[place] for place in moved]
    assert other_together == [together[place] for place in moved]


def test_a_copy_borrows_as_its_record_does_and_lends_nothing_more() -> None:
    copied = [*NEAR, said(0, characters=1)]
    once, thrice = words_of(NEAR, [{0: 2.0}, {}]), words_of(copied, [{0: 2.0}, {}, {0: 2.0}])
    assert thrice[1][:2] == once[1]
    assert thrice[1][0] == thrice[1][2]


def test_what_was_never_observed_stands_beside_nobody() -> None:
    facts = [outline_of(record(name)) for name in "ab"]
    alone, together = words_of([*facts, *NEAR], [{0: 1.0}, {1: 1.0}, {0: 1.0}, {1: 1.0}])
    assert together[:2] == alone[:2]
    assert together[2] > alone[2]


def test_an_answer_stands_right_after_its_question() -> None:
    asks = [said(0, body="Fine. And you?"), said(1), said(2), said(0, OTHER), said(1, body="Why?")]
    drawn = Outlines.of(asks)
    assert Line(drawn.spots).before(drawn.asking).tolist() == [0, 9, 4, 0, 9]
