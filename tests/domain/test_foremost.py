"""The best of many: those that a sort would put first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain import foremost as module
from lamina.domain.foremost import best, reached

NUMBERS = st.integers(0, 3)


@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS, st.integers()), max_size=30, unique=True), limit=st.integers(0, 40))
def test_the_best_are_the_first_of_all_in_order(rows: list[tuple[int, int, int]], limit: int) -> None:
    scores, *keys = [np.array(key, dtype=object) for key in zip(*rows, strict=True)] or [np.array([])] * 3
    chosen = [rows[index] for index in best(limit, scores, lambda tied: [key[tied] for key in keys])]
    assert sorted(chosen) == sorted(sorted(rows, reverse=True)[:limit])


@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=40), data=st.data())
def test_what_the_best_reach_is_the_last_of_them(values: list[int], data: st.DataObject) -> None:
    limit = data.draw(st.integers(1, len(values)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 3)
        assert reached(np.array(values, dtype=np.int64), limit) == sorted(values, reverse=True)[limit - 1]
