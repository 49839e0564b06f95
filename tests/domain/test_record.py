import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.errors import (
    BlankText,
    ForbiddenCharacter,
    ImpossibleState,
    InvertedValidity,
    NaiveTime,
    OutOfRange,
    TextTooLong,
    WrongType,
)
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.instants import elapsed, spoken
from lamina.domain.order import OrderKey, order_key
from lamina.domain.record import MemoryRecord, Origin, Reach, Tags
from lamina.domain.references import ActionLink, RuleRef
from lamina.domain.scope import PersistentScope, SessionScope
from lamina.domain.state import Archived, Tombstoned
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.samples import outline_of
from lamina.testing.strategies import claims, durations, instants, records, validities

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANCHOR = Anchor((("user_id", "u"),))
RECORD = MemoryRecord(
    id=MemoryId(UUID(int=1)),
    scope=PersistentScope(ANCHOR),
    typology=Typology.SEMANTIC,
    body="The gate wants citations",
    recorded_at=NOW,
    validity=Validity(NOW),
)


@pytest.mark.parametrize(
    ("field", "value", "error", "says"),
    [
        ("body", "", BlankText, "body has nothing visible"),
        ("body", " \n\u200b", BlankText, "body has nothing visible"),
        ("body", "a\0b", ForbiddenCharacter, "body has a NUL byte at 1"),
        ("body", "a\ud83d", ForbiddenCharacter, "body has half of a surrogate pair at 1"),
        ("body", "x" * 100_001, TextTooLong, "body has 100,001 characters"),
        ("recorded_at", datetime(2026, 1, 1), NaiveTime, r"recorded_at .* has no time zone; add one"),
        ("world_version", " ", BlankText, "world_version"),
        ("version", 0, OutOfRange, "version is 0; count from 1"),
    ],
)
def test_bad_records_cannot_be_built(field: str, value: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        replace(RECORD, **{field: value})  # type: ignore[arg-type]


def test_only_persistent_facts_reach_beyond_their_anchor() -> None:
    assert replace(RECORD, reach=Reach.CROSS_VERSION).reach is Reach.CROSS_VERSION
    with pytest.raises(ImpossibleState, match="persistent/procedural record cannot reach cross_anchor"):
        replace(RECORD, typology=Typology.PROCEDURAL, reach=Reach.CROSS_ANCHOR)
    with pytest.raises(ImpossibleState):
        replace(RECORD, scope=SessionScope(ANCHOR, SessionId(UUID(int=2))), reach=Reach.CROSS_VERSION)


def test_a_tombstone_has_no_body() -> None:
    erased = Tombstoned(NOW, "asked to", Archived(NOW, "old"))
    assert replace(RECORD, body="", state=erased).body == ""
    with pytest.raises(ImpossibleState, match="still has a body"):
        replace(RECORD, state=erased)


def test_a_record_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        RECORD.body = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        RECORD.tags._items = {}
    with pytest.raises(TypeError):
        RECORD.tags["a"] = "b"  # type: ignore[index]


@given(records())
def test_records_can_be_hashed_and_pickled(record: MemoryRecord) -> None:
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(record) == hash(replace(record))
    assert record.cell == (record.tier, record.typology)


@pytest.mark.parametrize(
    ("parts", "says"),
    [(("", "is", "x"), "claim subject"), (("x", " ", "x"), "claim aspect"), (("x", "is", "\u200b"), "claim value")],
)
def test_a_claim_has_three_parts(parts: tuple[str, str, str], says: str) -> None:
    with pytest.raises(BlankText, match=says):
        Claim(*parts)


@given(claims(), claims())
def test_claims_agree_on_what_they_are_about(one: Claim, other: Claim) -> None:
    assert one.agrees_with(one)
    assert one.agrees_with(other) == other.agrees_with(one)
    if one.agrees_with(other):
        assert one.key == other.key


def test_the_bounds_of_short_texts() -> None:
    assert Claim("s", "a", "v" * 500).value
    with pytest.raises(TextTooLong, match="claim value has 501 characters"):
        Claim("s", "a", "v" * 501)
    assert Tags({"k": "v" * 256})
    with pytest.raises(TextTooLong, match="tag k has 257 characters"):
        Tags({"k": "v" * 257})


def test_case_and_white_space_do_not_make_another_matter() -> None:
    assert Claim("Conformity  Gate", "requires", "Citations").agrees_with(
        Claim("conformity gate", "Requires", "citations")
    )


@given(validities(), instants())
def test_validity_covers_its_beginning_and_not_its_end(validity: Validity, instant: datetime) -> None:
    assert validity.covers(validity.valid_at) == (validity.invalid_at != validity.valid_at)
    if validity.invalid_at:
        assert not validity.covers(validity.invalid_at)
    assert not validity.covers(validity.valid_at - timedelta(microseconds=1))
    ended = validity.ending(instant)
    assert ended.invalid_at is not None
    assert ended.valid_at == validity.valid_at <= ended.invalid_at
    assert ended.invalid_at <= max(instant, validity.valid_at)


def test_validity_does_not_end_before_it_began() -> None:
    with pytest.raises(InvertedValidity, match="would end .* before it began"):
        Validity(NOW, NOW - timedelta(seconds=1))
    with pytest.raises(NaiveTime, match="invalid_at"):
        Validity(NOW, datetime(2027, 1, 1))


def test_an_ended_validity_is_not_prolonged() -> None:
    day = timedelta(days=1)
    assert Validity(NOW, NOW + day).ending(NOW + 5 * day) == Validity(NOW, NOW + day)
    assert Validity(NOW, NOW + 5 * day).ending(NOW + day) == Validity(NOW, NOW + day)


def key_of(score: float, record: MemoryRecord) -> OrderKey:
    outline = outline_of(record)
    return order_key(score, outline.valid_at, outline.recorded_at, outline.id)


def test_among_equals_the_latest_comes_first_and_then_the_smaller_id() -> None:
    later = replace(RECORD, id=MemoryId(UUID(int=9)), recorded_at=NOW + timedelta(days=1))
    assert key_of(1.0, later) < key_of(1.0, RECORD)
    twin = replace(RECORD, id=MemoryId(UUID(int=2)))
    assert key_of(1.0, RECORD) < key_of(1.0, twin)


def test_tags_are_an_envelope_not_a_body() -> None:
    with pytest.raises(OutOfRange, match="tags are 33"):
        Tags({f"k{number}": "v" for number in range(33)})
    with pytest.raises(BlankText, match="tag city"):
        Tags({"city": " "})
    with pytest.raises(TextTooLong, match="tag key"):
        Tags({"k" * 65: "v"})


def test_what_points_and_is_pointed_at() -> None:
    with pytest.raises(BlankText, match="rule version"):
        RuleRef(UUID(int=1), "")
    with pytest.raises(BlankText, match="action kind"):
        ActionLink(" ", "r", RECORD.id, NOW)
    with pytest.raises(BlankText, match="action ref"):
        ActionLink("rule_promotion", " ", RECORD.id, NOW)
    with pytest.raises(NaiveTime, match="linked_at"):
        ActionLink("rule_promotion", "r", RECORD.id, datetime(2026, 1, 1))
    with pytest.raises(OutOfRange, match="origin position"):
        Origin(SessionId(UUID(int=1)), None, -1)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), records()), max_size=8, unique_by=lambda pair: pair[1].id))
def test_one_total_order(scored: list[tuple[float, MemoryRecord]]) -> None:
    def key(pair: tuple[float, MemoryRecord]) -> OrderKey:
        return key_of(*pair)

    ordered = sorted(scored, key=key)
    assert ordered == sorted(reversed(scored), key=key)
    assert len(set(map(key, scored))) == len(scored)
    for (better, first), (worse, second) in pairwise(ordered):
        assert better >= worse
        if better == worse:
            assert first.validity.valid_at >= second.validity.valid_at


def test_durations_are_spoken() -> None:
    spoken_ = [spoken(timedelta(**{unit: 1})) for unit in ("days", "hours", "minutes", "seconds")]
    assert spoken_ == ["1 day", "1 hour", "1 minute", "1 second"]
    assert spoken(timedelta(days=30)) == "30 days"
    assert spoken(timedelta(hours=36)) == "36 hours"
    assert spoken(timedelta(minutes=90)) == "90 minutes"
    assert spoken(timedelta(seconds=0.5)) == "0.5 seconds"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Claim("a", "b", 5), "claim value is a int; give a string"),  # type: ignore[arg-type]
        (lambda: Validity("2026-01-01"), "valid_at is a str; give a datetime with a time zone"),  # type: ignore[arg-type]
        (lambda: replace(RECORD, body=None), "body is a NoneType; give a string"),  # type: ignore[arg-type]
    ],
)
def test_a_value_of_the_wrong_type_is_named(wrong: Callable[[], object], says: str) -> None:
    with pytest.raises(WrongType, match=says):
        wrong()


@given(instants(), durations())
def test_a_clock_that_went_backwards_makes_nothing_younger_than_new(now: datetime, ago: timedelta) -> None:
    assert elapsed(now - ago, now) == ago
    assert elapsed(now + ago, now) == timedelta()
