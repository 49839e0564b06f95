import ast
from dataclasses import replace
from datetime import UTC, datetime
from inspect import getsource
from itertools import combinations, pairwise
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.corroboration import (
    Corroboration,
    Finding,
    SourceType,
    failures_in_a_row,
    independent,
    last_confirmed,
)
from lamina.domain.errors import ForbiddenCharacter, NaiveTime
from lamina.domain.ids import CorroborationId, MemoryId, SessionId
from lamina.testing.strategies import corroborations

several = st.lists(corroborations(), max_size=7)


def _by_hand(several: list[Corroboration]) -> int:
    """The largest set in which no two share a source or a session: every subset is tried."""
    voices = [(one.source, one.session_id or one.source) for one in several if one.confirms]
    for size in range(len(voices), 0, -1):
        for chosen in combinations(voices, size):
            if len({source for source, _ in chosen}) == len({session for _, session in chosen}) == size:
                return size
    return 0


@given(several)
def test_independence_is_distinct_source_and_distinct_session(several: list[Corroboration]) -> None:
    assert independent(several) == _by_hand(several)


@given(corroborations(st.just(Finding.CONFIRMED)))
def test_outside_any_session_a_source_counts_once(one: Corroboration) -> None:
    alone = replace(one, session_id=None)
    assert independent([alone, replace(alone, id=CorroborationId(UUID(int=1)))]) == 1


def test_bad_corroborations() -> None:
    parts = {
        "id": UUID(int=0),
        "memory_id": UUID(int=0),
        "source_type": SourceType.RULE_CHANGE,
        "source_ref": UUID(int=0),
    }
    with pytest.raises(NaiveTime, match="corroborated_at"):
        Corroboration(**parts, corroborated_at=datetime(2026, 1, 1))  # type: ignore[arg-type]
    with pytest.raises(ForbiddenCharacter, match="corroboration notes"):
        Corroboration(**parts, corroborated_at=datetime(2026, 1, 1, tzinfo=UTC), notes="\0")  # type: ignore[arg-type]


def test_a_long_chain_of_voices_is_counted() -> None:
    one = Corroboration(
        id=CorroborationId(UUID(int=0)),
        memory_id=MemoryId(UUID(int=0)),
        source_type=SourceType.OPERATOR_INPUT,
        source_ref=UUID(int=0),
        corroborated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    chain = [
        replace(one, source_ref=UUID(int=number), session_id=SessionId(UUID(int=number + step)))
        for number in range(1, 1_500)
        for step in (0, 1)
    ]
    assert independent(chain) == 1_499


@given(several, corroborations())
def test_one_more_voice_never_counts_for_less(several: list[Corroboration], one: Corroboration) -> None:
    assert independent(several) <= independent([*several, one]) <= independent(several) + 1


@given(corroborations(st.just(Finding.CONFIRMED)), st.integers(1, 5))
def test_the_same_voice_again_is_one(one: Corroboration, times: int) -> None:
    assert independent([one] * times) == 1


@given(several, st.randoms())
def test_failures_in_a_row_are_counted_from_the_latest(several: list[Corroboration], random: Random) -> None:
    latest_first = sorted(several, key=lambda one: (one.corroborated_at, one.id), reverse=True)
    count = 0
    for one in latest_first:
        if one.confirms:
            break
        count += 1
    shuffled = list(several)
    random.shuffle(shuffled)
    assert failures_in_a_row(shuffled) == count


@given(several)
def test_the_last_confirmation_is_derived(several: list[Corroboration]) -> None:
    confirmed = [one.corroborated_at for one in several if one.outcome is Finding.CONFIRMED]
    assert last_confirmed(several) == (max(confirmed) if confirmed else None)


def test_every_type_of_source_says_where_it_points() -> None:
    """D9: which table a `source_ref` leads into stands beside its type."""
    (body,) = (node.body for node in ast.parse(getsource(SourceType)).body if isinstance(node, ast.ClassDef))
    told = [later for earlier, later in pairwise(body) if isinstance(earlier, ast.Assign)]
    assert len(told) == len(SourceType)
    assert all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in told)
