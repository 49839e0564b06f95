"""Rows turned on their side."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.columns import parted, turned

VALUES = st.tuples(st.integers(0, 1), st.none() | st.text(max_size=1), st.just(7))
ROWS = st.lists(VALUES.map(lambda values: dict(zip("abc", values, strict=True))))


@given(ROWS)
def test_nothing_is_lost(rows: list[dict[str, Any]]) -> None:
    columns = parted(turned(rows))
    again = [
        {**columns.same, **{name: values[place] for name, values in columns.differing.items()}}
        for place in range(len(rows))
    ]
    assert again == rows


@given(ROWS.filter(bool))
def test_what_is_the_same_is_said_once(rows: list[dict[str, Any]]) -> None:
    columns = parted(turned(rows))
    assert columns.same["c"] == 7
    assert not columns.same.keys() & columns.differing.keys()


def test_no_rows_have_no_columns() -> None:
    assert turned([]) == {}
