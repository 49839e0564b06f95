"""The best of many: those that a sort would put first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain import foremost as module
from lamina.domain.foremost import best, foremost

NUMBERS = st.integers(0, 3)


@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS, st.integers()), max_size=30, unique=True), limit=st.integers(0, 40))
def test_the_best_are_the_first_of_all_in_order(rows: list[tuple[int, int, int]], limit: int) -> None:
    scores, *keys = [np.array(key, dtype=object) for key in zip(*rows, strict=True)] or [np.array([])] * 3
    chosen = [rows[index] for index in best(limit, scores, lambda tied: [key[tied] for key in keys])]
    assert sorted(chosen) == sorted(sorted(rows, reverse=True)[:limit])


@given(values=st.lists(st.integers(-9, 9), max_size=40), limit=st.integers(0, 40))
def test_the_foremost_have_all_of_the_best_among_them(values: list[int], limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 3)
        there = foremost(np.array(values, dtype=np.int64), limit).tolist()
    best_of_all = sorted(values, reverse=True)[:limit]
    assert sorted((values[place] for place in there), reverse=True)[:limit] == best_of_all
    left = [value for place, value in enumerate(values) if place not in set(there)]
    assert not left or not best_of_all or max(left) < min(best_of_all), "equals are not told apart here"
