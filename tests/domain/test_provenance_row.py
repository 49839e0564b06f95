"""What is kept about records survives the way to a row and back."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.ids import AnchorId, ContradictionId
from lamina.domain.provenance_row import (
    action_link_from,
    action_link_row,
    contradiction_from,
    contradiction_row,
    step_rows,
)
from lamina.domain.references import ActionLink, RuleRef
from lamina.testing.strategies import instants, memory_ids, texts

ANCHOR = AnchorId(UUID(int=1))
STEPS = st.builds(StatusChange, st.sampled_from(ContradictionStatus), instants(), texts())
OPENED = st.builds(StatusChange, st.just(ContradictionStatus.OPEN), instants(), texts())


@given(st.builds(ActionLink, texts(100), texts(100), memory_ids, instants()))
def test_a_link(link: ActionLink) -> None:
    assert action_link_from(action_link_row(ANCHOR, link)) == link


@given(
    st.builds(
        Contradiction,
        id=st.uuids().map(ContradictionId),
        memory_id=memory_ids,
        against=memory_ids | st.builds(RuleRef, st.uuids(), texts(100)),
        history=st.builds(lambda first, more: (first, *more), OPENED, st.lists(STEPS, max_size=3)),
        world_version=st.none() | texts(100),
    )
)
def test_a_contradiction_with_its_history(one: Contradiction) -> None:
    row = contradiction_row(ANCHOR, one)
    assert row["status"] == one.status
    assert contradiction_from(row, step_rows(ANCHOR, one)) == one
