from hypothesis import given

from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import MEMORY_COLUMNS, NOT_LIVE, STATE_COLUMNS, from_row, state_row, to_row
from lamina.testing.strategies import any_record_state


@given(any_record_state())
def test_a_record_survives_its_row(record: MemoryRecord) -> None:
    assert from_row(to_row(record), record.scope.anchor) == record


@given(any_record_state())
def test_a_transition_changes_state_columns_only(record: MemoryRecord) -> None:
    assert set(state_row(record)) == set(STATE_COLUMNS)
    assert set(to_row(record)) == MEMORY_COLUMNS
    assert record.live == all(to_row(record)[column] is None for column in NOT_LIVE)
