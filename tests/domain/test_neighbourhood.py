from dataclasses import replace
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.ids import SessionId
from lamina.domain.neighbourhood import REACH, borrowed, share
from lamina.domain.outline import Outline
from lamina.domain.record import Origin
from lamina.testing.samples import outline_of, record

SESSION, OTHER = SessionId(UUID(int=1)), SessionId(UUID(int=2))


def said(position: int, session: SessionId = SESSION, characters: int = 30) -> Outline:
    one = record(f"{session} {position}", origin=Origin(session, None, position))
    return outline_of(replace(one, body="x" * characters))


positions = st.lists(st.integers(0, 12), min_size=1, max_size=10)
evidence = st.dictionaries(st.integers(0, 9), st.floats(0, 2))


@given(positions, evidence)
def test_only_what_stands_near_in_the_same_session_lends(places: list[int], lent: dict[int, float]) -> None:
    outlines = [said(position) for position in places]
    given_ = {place: score for place, score in lent.items() if place < len(places)}
    found = borrowed(outlines, given_)
    for place, one in enumerate(outlines):
        near = [
            score
            for other, score in given_.items()
            if 0 < abs(outlines[other].position - one.position) <= REACH and score > 0
        ]
        assert (place in found) == bool(near)
        if near:
            assert 0 < found[place] <= share(one.characters) * sum(near) * (1 + 1e-9)


def test_another_session_lends_nothing_and_nobody_lends_to_itself() -> None:
    assert borrowed([said(0), said(1, OTHER)], {0: 1.0}) == {}
    assert borrowed([outline_of(record("a")), outline_of(record("b"))], {0: 1.0}) == {}


def test_a_record_and_its_copy_count_once() -> None:
    once = borrowed([said(0), said(1)], {0: 1.0})[1]
    twice = borrowed([said(0), said(1), said(0)], {0: 1.0, 2: 1.0})
    assert twice[1] == once
    assert 0 not in twice, "a copy is no neighbour"


@given(st.integers(1, 5_000), st.integers(1, 5_000))
def test_a_longer_text_borrows_less(one: int, other: int) -> None:
    shorter, longer = sorted((one, other))
    assert share(longer) <= share(shorter) <= 1
    found = borrowed([said(0), said(1, characters=shorter), said(1, characters=longer)], {0: 1.0})
    assert found[2] <= found[1]


def test_what_is_further_away_lends_less() -> None:
    found = borrowed([said(5), said(6), said(7), said(8)], {0: 1.0})
    assert found[1] > found[2]
    assert 3 not in found
