from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.agents import ASSISTANT_AGENT, WORLD_AGENT
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.ids import CorroborationId, SessionId
from lamina.domain.policies.promotion import Granted, Held, Verdict
from lamina.domain.record import MemoryRecord, Reach
from lamina.domain.references import RuleRef
from lamina.domain.scope_cleanup import Pointer
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.state import Exempted
from lamina.domain.typology import Typology
from lamina.domain.upkeep import Duty, Reviewed, Upkeep, reach_of, upkeep
from lamina.testing.samples import DAY, START, anchor, record
from lamina.testing.strategies import corroborations, durations

RULE = UUID(int=7)
V1, V2 = RuleRef(RULE, "v1"), RuleRef(RULE, "v2")
OTHER = RuleRef(UUID(int=8), "v1")
HELD, GRANTED = Held("corroborated", "0 of 2"), Granted("met")


def said(number: int, *, days: int, finding: Finding = Finding.CONFIRMED, **more: Any) -> Corroboration:
    one = Corroboration(
        id=CorroborationId(UUID(int=number)),
        memory_id=record("fact").id,
        source_type=SourceType.OPERATOR_INPUT,
        source_ref=UUID(int=number),
        corroborated_at=START + days * DAY,
        session_id=SessionId(UUID(int=number)),
        outcome=finding,
    )
    return replace(one, **more)


def attend(
    one: Reviewed,
    spec: AgentMemorySpec = WORLD_AGENT,
    verdict: Verdict = HELD,
    now: datetime = START + DAY,
    canon: dict[UUID, dict[str, str]] | None = None,
) -> Upkeep:
    return upkeep(one, spec.resolve(one.record.cell), verdict, canon or {}, now)


def episode() -> MemoryRecord:
    return record("episode", typology=Typology.EPISODIC)


def test_a_fact_that_failed_often_enough_is_archived() -> None:
    failures = tuple(said(number, days=number, finding=Finding.FAILED) for number in range(1, 4))
    assert attend(Reviewed(record("fact"), failures[:2])).duty is Duty.KEEP
    found = attend(Reviewed(record("fact"), failures))
    assert (found.duty, found.reason) == (Duty.ARCHIVE, "3 corroborations in a row failed")


def test_a_fact_that_an_action_rests_on_is_invalidated_instead() -> None:
    failures = tuple(said(number, days=number, finding=Finding.FAILED) for number in range(1, 4))
    assert attend(Reviewed(record("fact"), failures, pointers=frozenset({Pointer.ACTION}))).duty is Duty.INVALIDATE


def test_a_fact_is_archived_when_nothing_that_it_rests_on_is_as_it_was() -> None:
    canon = {RULE: {"v1": "cite", "v2": "sign"}, OTHER.rule_id: {"v1": "wait"}}
    found = attend(Reviewed(record("fact"), references=frozenset({V1})), canon=canon)
    assert (found.duty, found.reason) == (Duty.ARCHIVE, "its canonical source changed")
    partly = attend(Reviewed(record("fact"), references=frozenset({V1, OTHER})), canon=canon)
    assert (partly.duty, partly.against) == (Duty.DISPUTE, (V2,))
    assert attend(Reviewed(record("fact"), references=frozenset({V1, V2, OTHER})), canon=canon).duty is Duty.KEEP


@pytest.mark.parametrize(
    ("verdict", "pointers", "duty"),
    [
        (HELD, frozenset[Pointer](), Duty.ARCHIVE),
        (HELD, frozenset({Pointer.ACTION}), Duty.EXEMPT),
        (GRANTED, frozenset[Pointer](), Duty.RISE),
        (GRANTED, frozenset({Pointer.ACTION}), Duty.RISE),
    ],
)
def test_an_episode_comes_to_an_outcome_when_its_time_is_up(
    verdict: Verdict, pointers: frozenset[Pointer], duty: Duty
) -> None:
    one = Reviewed(episode(), pointers=pointers)
    assert attend(one, ASSISTANT_AGENT, verdict, START + 89 * DAY).duty is Duty.KEEP
    found = attend(one, ASSISTANT_AGENT, verdict, START + 90 * DAY)
    assert found.duty is duty
    assert "undisposed for 90 days" in found.reason


def test_what_was_exempted_is_left_alone() -> None:
    kept = Reviewed(replace(episode(), state=Exempted(START, "a landmark")))
    assert attend(kept, ASSISTANT_AGENT, GRANTED, START + 900 * DAY).duty is Duty.KEEP


def test_preferences_are_left_alone() -> None:
    failures = tuple(said(number, days=number, finding=Finding.FAILED) for number in range(1, 9))
    habit = Reviewed(record("habit", typology=Typology.PROCEDURAL), failures)
    assert attend(habit, now=START + 9_000 * DAY).duty is Duty.KEEP


def meta(
    *, versions: tuple[str, ...] = ("v2", "v2", "v3"), days: int = 1, refs: frozenset[RuleRef] = frozenset({V1})
) -> Upkeep:
    """What becomes of a fact of v1 that was found again under these versions, so many days later."""
    again = tuple(said(number, days=days, world_version=version) for number, version in enumerate(versions, 1))
    one = Reviewed(record("fact", world_version="v1"), again, refs)
    return attend(one, canon={RULE: {"v1": "cite", "v2": "cite"}}, now=START + 2 * DAY)


def test_a_fact_that_persists_becomes_meta_semantic() -> None:
    assert meta().duty is Duty.WIDEN
    assert meta().reach is Reach.CROSS_VERSION
    assert meta(versions=("v1", "v1", "v1")).duty is Duty.KEEP, "one version is not two"
    assert meta(versions=("v2", "v2")).duty is Duty.KEEP, "it did not recur often enough"
    assert meta(days=0).duty is Duty.KEEP, "what made it a fact is no recurrence"
    assert meta(refs=frozenset()).duty is Duty.KEEP, "nothing canonical that it refers to survives"


def test_what_reaches_further_already_stays_as_it_is() -> None:
    again = tuple(said(number, days=1, world_version="v2") for number in range(1, 5))
    wide = record("fact", world_version="v1", reach=Reach.CROSS_VERSION)
    assert attend(Reviewed(wide, again, frozenset({V1})), canon={RULE: {"v1": "cite"}}).duty is Duty.KEEP


def test_a_fact_reaches_across_anchors_if_it_was_confirmed_in_another() -> None:
    fact = record("fact")
    elsewhere = said(1, days=1, found_in=anchor("other").id)
    assert reach_of(Reviewed(fact, (elsewhere,))) is Reach.CROSS_ANCHOR
    assert reach_of(Reviewed(fact, (replace(elsewhere, outcome=Finding.FAILED),))) is Reach.CROSS_VERSION
    assert reach_of(Reviewed(fact, (replace(elsewhere, found_in=anchor().id),))) is Reach.CROSS_VERSION


@given(st.lists(corroborations(), max_size=6), durations(), st.booleans(), st.sampled_from(Typology))
def test_what_an_action_rests_on_is_never_archived(
    spoken: list[Corroboration], age: timedelta, granted: bool, typology: Typology
) -> None:
    one = Reviewed(record("fact", typology=typology), tuple(spoken), pointers=frozenset({Pointer.ACTION}))
    found = attend(one, ASSISTANT_AGENT, GRANTED if granted else HELD, START + min(age, timedelta(days=10_000)))
    assert found.duty is not Duty.ARCHIVE
    assert found.reason
