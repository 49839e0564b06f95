from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.instants import EPOCH
from lamina.domain.periods import TOLD, periods, within

DAY = timedelta(days=1)


def said(query: str) -> list[tuple[int | None, int | None, int | None]]:
    return [(one.year, one.month, one.day) for one in periods(query)]


@pytest.mark.parametrize(
    ("query", "times"),
    [
        ("What did Ann do in May 2023?", [(2023, 5, None)]),
        ("What happened on 7 July?", [(None, 7, 7)]),
        ("the 3rd of October, 2022", [(2022, 10, 3)]),
        ("on December 31st 1999", [(1999, 12, 31)]),
        ("Seen 2023-05-07, then 8 June", [(2023, 5, 7), (None, 6, 8)]),
        ("where was she in 2021?", [(2021, None, None)]),
        ("who won during early September", [(None, 9, None)]),
        ("AUG 2020 and 4 sept", [(2020, 8, None), (None, 9, 4)]),
        ("at 2023-05-07T10:00", [(2023, 5, 7)]),
        ("in June, and in June again", [(None, 6, None)]),
    ],
)
def test_a_time_is_read_as_it_is_written(query: str, times: list[tuple[int | None, ...]]) -> None:
    assert said(query) == times


@pytest.mark.parametrize(
    "query",
    [
        "may I march with you?",
        "does April know June, or that august man?",
        "in \u017feptember",
        "2023-00-00",
        "the mayor of Marchwood",
        "2000 pounds of rice",
        "call 2023 now",
        "in 20231",
        "a decorated augment",
        "",
        "１２",
        "on 45 things",
    ],
)
def test_what_may_be_another_word_is_no_time(query: str) -> None:
    assert said(query) == []


@given(st.text(max_size=300))
def test_a_time_says_of_when_it_is(query: str) -> None:
    for one in periods(query):
        assert one.year or one.month
        assert one.month or not one.day


def at(*moments: datetime) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([(moment - EPOCH) // timedelta(microseconds=1) for moment in moments])


@given(st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)))
def test_a_moment_is_in_its_own_day_month_and_year(moment: datetime) -> None:
    for written in ("%Y-%m-%d", "on %d %B %Y", "in %B", "in %B %Y", "in %Y"):
        query = moment.strftime(written)
        assert within(periods(query), at(moment)).tolist() == [1], query
        assert within(periods(query), at(moment + TOLD)).tolist() == [1], "a thing is told of for a week"
    assert within(periods(f"{moment:%Y-%m-%d}"), at(moment + TOLD + DAY, moment - DAY)).tolist() == [0, 0]


def test_each_time_counts_and_no_such_day_is_none() -> None:
    moments = at(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 6, 20, tzinfo=UTC), datetime(2021, 5, 7, tzinfo=UTC))
    assert within(periods("in May or on 7 May 2023"), moments).tolist() == [2, 0, 1]
    assert within(periods("on 31 June 2023"), moments).tolist() == [0, 0, 0]
    assert within(periods("on 29 February"), at(datetime(2023, 3, 1, tzinfo=UTC))).tolist() == [0]
    assert within(periods("in May"), at()).tolist() == []
    ends = at(datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
    beyond = np.append(ends, ends[0] - 10**12)
    assert within(periods("in December or on 1 January"), beyond).tolist() == [1, 0, 0]
