from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.contradiction import NEXT, Contradiction, ContradictionStatus, StatusChange
from lamina.domain.errors import BlankText, ImpossibleState, NaiveTime
from lamina.domain.ids import ContradictionId, MemoryId
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OPEN = Contradiction(
    id=ContradictionId(UUID(int=1)),
    memory_id=MemoryId(UUID(int=2)),
    against=RuleRef(UUID(int=3), "v1"),
    history=(StatusChange(ContradictionStatus.OPEN, NOW, "the rule says ninety days, operators say thirty"),),
)


@given(st.lists(st.sampled_from(ContradictionStatus), max_size=8))
def test_it_moves_only_as_declared_and_keeps_its_history(path: list[ContradictionStatus]) -> None:
    contradiction = OPEN
    for status in path:
        moved = contradiction.move(status, NOW, "looked at")
        if status in NEXT[contradiction.status]:
            assert isinstance(moved, Contradiction)
            assert moved.history[:-1] == contradiction.history
            assert moved.status is status
            contradiction = moved
        else:
            assert isinstance(moved, Refusal)
            assert f"not to {status}" in moved.reason


def test_a_revision_signal_has_left_our_hands() -> None:
    surfaced = OPEN.move(ContradictionStatus.SURFACED_TO_OPERATOR, NOW, "shown")
    assert isinstance(surfaced, Contradiction)
    signal = surfaced.move(ContradictionStatus.PROMOTED_TO_REVISION_SIGNAL, NOW, "the rule is to be revised")
    assert isinstance(signal, Contradiction)
    assert str(signal.move(ContradictionStatus.OPEN, NOW, "again")) == (
        "contradiction-status: promoted_to_revision_signal leads to nothing: it is a revision signal now, not to open"
    )


def test_the_steps_that_it_may_take() -> None:
    opened, dismissed, surfaced, promoted = ContradictionStatus
    assert {
        opened: {dismissed, surfaced},
        surfaced: {dismissed, promoted},
        dismissed: {opened},
        promoted: set(),
    } == NEXT


def test_it_begins_open_and_says_why() -> None:
    with pytest.raises(ImpossibleState, match="does not begin open"):
        Contradiction(id=OPEN.id, memory_id=OPEN.memory_id, against=OPEN.against, history=())
    closed = StatusChange(ContradictionStatus.DISMISSED, NOW, "no")
    with pytest.raises(ImpossibleState, match="does not begin open"):
        Contradiction(id=OPEN.id, memory_id=OPEN.memory_id, against=OPEN.against, history=(closed,))
    with pytest.raises(NaiveTime, match="contradiction at"):
        OPEN.move(ContradictionStatus.DISMISSED, datetime(2026, 1, 1), "no")
    with pytest.raises(BlankText, match="contradiction notes"):
        OPEN.move(ContradictionStatus.DISMISSED, NOW, " ")
