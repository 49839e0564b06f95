from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.record import MemoryRecord
from lamina.domain.timeline import overlap
from lamina.testing.strategies import records


def _meet(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether some instant lies in both: the later beginning does, if any does."""
    latest = max(one.validity.valid_at, other.validity.valid_at)
    return one.validity.covers(latest) and other.validity.covers(latest)


@given(st.lists(records(), max_size=6))
def test_an_overlap_is_found_if_there_is_one(line: list[MemoryRecord]) -> None:
    found = overlap(line)
    assert (found is not None) == any(_meet(one, other) for one, other in combinations(line, 2))
    assert found is None or _meet(*found)
