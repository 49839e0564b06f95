"""What goes when a scope ends: transient memory that nothing points at, and that follows on nothing that stays."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.ids import MemoryId
from lamina.domain.scope_cleanup import Pointer, Standing, clean_up, may_go
from lamina.domain.tier import Tier

IDS = [MemoryId(UUID(int=number)) for number in range(6)]
OUTSIDE = MemoryId(UUID(int=99))


def turn(number: int, *pointers: Pointer, after: tuple[MemoryId, ...] = ()) -> Standing:
    return Standing(IDS[number], Tier.INTERACTION, frozenset(pointers), frozenset(after))


def test_what_nothing_points_at_goes() -> None:
    assert clean_up([turn(0), turn(1)]).removed == (IDS[0], IDS[1])


@pytest.mark.parametrize("pointer", Pointer)
def test_what_something_points_at_stays_and_says_why(pointer: Pointer) -> None:
    cleaned = clean_up([turn(0, pointer), turn(1)])
    assert cleaned.removed == (IDS[1],)
    assert cleaned.kept[IDS[0]].rule == ("action-linkage" if pointer is Pointer.ACTION else "provenance")
    assert "stays" in cleaned.kept[IDS[0]].reason


def test_persistent_memory_never_goes() -> None:
    refusal = may_go(Standing(IDS[0], Tier.PERSISTENT))
    assert refusal is not None
    assert refusal.rule == "durability"


def test_a_chain_from_what_stays_is_kept_to_its_end() -> None:
    cleaned = clean_up([turn(0, Pointer.ACTION), turn(1, after=(IDS[0],)), turn(2, after=(IDS[1],)), turn(3)])
    assert cleaned.removed == (IDS[3],)
    assert {cleaned.kept[id_].rule for id_ in IDS[1:3]} == {"lineage"}


def test_what_a_record_outside_the_scope_leads_on_to_stays() -> None:
    assert clean_up([turn(0, after=(OUTSIDE,))]).removed == ()


def test_a_chain_that_nothing_holds_goes_whole() -> None:
    assert clean_up([turn(0, after=(IDS[1],)), turn(1, after=(IDS[0],))]).removed == (IDS[0], IDS[1])


@st.composite
def standings(draw: st.DrawFn) -> list[Standing]:
    return [
        Standing(
            id_,
            draw(st.sampled_from(Tier)),
            draw(st.frozensets(st.sampled_from(Pointer), max_size=1)),
            draw(st.frozensets(st.sampled_from([*IDS, OUTSIDE]), max_size=2)) - {id_},
        )
        for id_ in IDS
    ]


@given(standings())
def test_nothing_that_stays_leads_on_to_what_goes(there: list[Standing]) -> None:
    cleaned = clean_up(there)
    assert {*cleaned.removed, *cleaned.kept} == set(IDS)
    for one in there:
        if one.id in cleaned.removed:
            assert may_go(one) is None
            assert one.followed_from <= set(cleaned.removed)
