from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamina.domain.as_of import AsOf
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import NaiveTime
from lamina.domain.ids import DecisionId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.replay import live_at, stood
from lamina.domain.selection import Selection
from lamina.domain.state import Candidate
from lamina.domain.transitions import archive, grant, invalidate, restore, supersede, tombstone
from lamina.domain.undoing import UNDO
from lamina.domain.validity import Validity
from lamina.testing.samples import DAY, START, record, uuid
from lamina.testing.strategies import any_record_state, instants

FACT = record("fact", validity=Validity(START - 10 * DAY))


def then(valid: int, known: int) -> AsOf:
    return AsOf(START + valid * DAY, START + known * DAY)


def sure(step: object) -> MemoryRecord:
    assert isinstance(step, MemoryRecord)
    return step


def test_we_know_nothing_before_it_was_recorded_or_granted() -> None:
    assert not then(0, -1).takes(FACT)
    assert then(-5, 0).takes(FACT), "recorded later, and so since long before"
    held = replace(FACT, state=Candidate(START, "wait", "Corroborated"))
    assert not then(0, 0).takes(held)
    granted = sure(grant(held, START + 3 * DAY))
    assert not then(0, 2).takes(granted)
    assert then(0, 3).takes(granted)


def test_what_was_invalidated_was_so_until_then() -> None:
    ended = sure(invalidate(FACT, START + 2 * DAY, START + 5 * DAY, "it changed"))
    assert then(1, 9).takes(ended), "it was so then, and we still know it"
    assert not then(3, 9).takes(ended)
    assert then(3, 4).takes(ended), "nobody had learned of it yet"


def test_what_was_superseded_was_in_force_until_then() -> None:
    replaced = sure(supersede(FACT, record("other"), START + 2 * DAY))
    assert then(1, 9).takes(replaced)
    assert not then(2, 9).takes(replaced)
    assert then(9, 1).takes(replaced)


def test_what_was_archived_is_not_surfaced_from_then_on_and_what_was_erased_never() -> None:
    gone = sure(archive(FACT, START + 2 * DAY, "stale"))
    assert then(0, 1).takes(gone)
    assert not then(0, 2).takes(gone)
    erased = sure(tombstone(gone, 0, START + 3 * DAY, "asked for"))
    assert not then(0, 1).takes(erased)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(any_record_state(), instants())
def test_as_of_now_is_what_is_live_and_holds(one: MemoryRecord, now: datetime) -> None:
    """Whatever is live and recorded is known; it answers for now if its validity covers now."""
    known = max(now, one.recorded_at, one.granted_at or one.recorded_at)
    if one.live:
        assert Selection(as_of=AsOf(known, known)).takes(one) == one.validity.covers(known)


def test_both_times_name_one_moment() -> None:
    with pytest.raises(NaiveTime, match="known_at"):
        AsOf(START, START.replace(tzinfo=None))


def entry(day: int, verb: str, decision: Decision, *names: str) -> DecisionEntry:
    rule = "corroborated" if decision is Decision.HELD else None
    outcome = Outcome(decision, tuple(record(name).id for name in names), "so", rule)
    return DecisionEntry(DecisionId(uuid(f"{day} {verb}")), verb, START + day * DAY, outcome)


LOG = [
    entry(0, "observe", Decision.ADD, "a"),
    entry(1, "archive", Decision.DELETE, "a"),
    entry(2, UNDO, Decision.UPDATE, "a"),
    entry(3, "propose", Decision.UPDATE, "b", "a"),
    entry(4, "corroborate", Decision.NOOP, "b"),
    entry(5, UNDO, Decision.UPDATE, "b", "a"),
]


@pytest.mark.parametrize(
    ("day", "a", "b"),
    [(-1, None, None), (0, True, None), (1, False, None), (2, True, None), (3, False, True), (5, True, False)],
)
def test_the_log_says_what_was_live(day: int, a: bool | None, b: bool | None) -> None:
    assert live_at(record("a").id, LOG, START + day * DAY) is a
    assert live_at(record("b").id, LOG, START + day * DAY) is b


def test_what_the_columns_forgot_is_dropped_and_what_they_know_is_theirs() -> None:
    a, b = record("a").id, record("b").id
    assert not stood(a, LOG, then(0, 1)), "it was archived then, and was brought back"
    assert stood(a, LOG, then(0, 2))
    assert not stood(a, LOG, then(3, 3)), "another had taken its place, and no longer has"
    assert stood(a, LOG, then(2, 3)), "until then it was so"
    assert stood(b, LOG, then(5, 5)), "it is still archived: the columns know"
    held = [entry(0, "propose", Decision.HELD, "a"), entry(2, "archive", Decision.DELETE, "a")]
    assert not stood(a, held, then(1, 1)), "it was never more than a candidate"
    assert stood(record("elsewhere").id, LOG, then(9, 9))


def test_what_was_brought_back_looks_as_if_nothing_had_happened() -> None:
    """Why the log is asked: the columns know only the last."""
    back = sure(restore(sure(archive(FACT, START + DAY, "stale"))))
    assert then(1, 1).takes(back)


@given(st.lists(st.sampled_from(LOG)))
def test_a_record_that_is_not_in_the_log_is_left_to_its_columns(log: list[DecisionEntry]) -> None:
    assert live_at(record("elsewhere").id, log, START + 9 * DAY) is None
