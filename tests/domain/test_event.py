"""What an event must be, and what its metadata keeps."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from lamina.domain.errors import (
    ForbiddenCharacter,
    InvalidInput,
    LaminaError,
    NaiveTime,
    NotANumber,
    OutOfRange,
    StoreError,
    TextTooLong,
    UnknownKey,
    WrongType,
)
from lamina.domain.event import LONGEST_CONTENT, Event
from lamina.domain.event_chain import chained
from lamina.domain.event_metadata import DEEPEST, LONGEST_METADATA, Metadata
from lamina.domain.event_row import event_from, event_row
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.testing.event_strategies import event, events, metadata

ANCHOR = AnchorId(UUID(int=1))


@pytest.mark.parametrize(
    ("part", "refused"),
    [
        ({"id": "e1"}, WrongType),
        ({"loop_id": None}, WrongType),
        ({"ts": datetime(2026, 1, 1)}, NaiveTime),
        ({"ts": "2026-01-01"}, WrongType),
        ({"ts": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))}, OutOfRange),
        ({"persona": "actor"}, UnknownKey),
        ({"kind": "shrug"}, UnknownKey),
        ({"visibility": "secret"}, UnknownKey),
        ({"content": None}, WrongType),
        ({"content": b"bytes"}, WrongType),
        ({"content": "x" * (LONGEST_CONTENT + 1)}, TextTooLong),
        ({"content": "a\0b"}, ForbiddenCharacter),
        ({"content": "\ud800"}, ForbiddenCharacter),
        ({"metadata": {"a": 1}}, WrongType),
    ],
    ids=lambda value: None if isinstance(value, type) else next(iter(value)),
)
def test_what_cannot_be_kept_is_refused(part: dict[str, Any], refused: type[InvalidInput]) -> None:
    with pytest.raises(refused):
        event("a", **part)


def test_content_may_be_empty_or_blank_and_as_long_as_its_bound() -> None:
    for content in ("", " \n", "x" * LONGEST_CONTENT):
        assert event("a", content=content).content == content


def test_a_time_is_kept_in_utc() -> None:
    zone = timezone(timedelta(hours=5, minutes=45))
    one = event("a", ts=datetime(2026, 1, 1, 5, 45, 0, 7, tzinfo=zone))
    assert one.ts.isoformat() == "2026-01-01T00:00:00.000007+00:00"
    assert one == event("a", ts=datetime(2026, 1, 1, 0, 0, 0, 7, tzinfo=UTC))


@given(events())
def test_an_event_survives_the_way_to_a_row_and_back(one: Event) -> None:
    logged = chained(ANCHOR, one, 3, bytes(32))
    row = event_row(logged)
    assert event_from(ANCHOR, Persona.ACTOR, row) == logged
    assert all(isinstance(row[name], str) for name in ("kind", "visibility", "metadata", "previous", "hash"))


def test_a_row_with_an_unknown_word_says_so() -> None:
    row = event_row(chained(ANCHOR, event("a"), 0, bytes(32)))
    with pytest.raises(StoreError, match=f"event {event('a').id} has the kind 'shrug'; upgrade"):
        event_from(ANCHOR, Persona.ACTOR, row | {"kind": "shrug"})


@given(metadata())
def test_metadata_says_what_its_text_says(one: Metadata) -> None:
    again = Metadata.stored(one.text)
    assert again == one
    assert Metadata(again) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(again) == hash(one)
    assert _thawed(one) == json.loads(one.text)
    assert Metadata(dict(one)) == one, "what is read can be written again"


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(one) for key, one in value.items()}
    return [_thawed(one) for one in value] if isinstance(value, tuple) else value


def test_metadata_keeps_order_and_numbers_as_they_are() -> None:
    one = Metadata({"b": 1.0, "a": [1, True, None], "é": {"x": -0.0, "y": 10**30}})
    assert one.text == '{"b":1.0,"a":[1,true,null],"é":{"x":-0.0,"y":1000000000000000000000000000000}}'
    assert list(one) == ["b", "a", "é"]
    assert (len(one), one["a"]) == (3, (1, True, None))
    assert Metadata({"a": 1}) != Metadata({"a": True})
    assert Metadata({"a": 1, "b": 2}) != Metadata({"b": 2, "a": 1})
    assert Metadata({"a": 1}) != {"a": 1}
    assert repr(Metadata({"a": 1})) == 'Metadata({"a":1})'


def test_metadata_cannot_change() -> None:
    mine = {"list": [1]}
    one = Metadata(mine)
    mine["list"].append(2)
    assert one["list"] == (1,)
    with pytest.raises(AttributeError, match="cannot change"):
        one.text = "{}"
    with pytest.raises(TypeError):
        one["list"] = ()  # type: ignore[index]


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("items", "refused", "where"),
    [
        ([("a", 1)], WrongType, "metadata is a list"),
        ({1: "a"}, WrongType, "key 1 of metadata is a int"),
        ({"a": {None: 1}}, WrongType, r"key None of metadata\['a'\]"),
        ({"a": {1, 2}}, WrongType, r"metadata\['a'\] is a set"),
        ({"a": [b"x"]}, WrongType, r"metadata\['a'\]\[0\] is a bytes"),
        ({"a": datetime(2026, 1, 1, tzinfo=UTC)}, WrongType, "is a datetime"),
        ({"a": float("nan")}, NotANumber, "is nan"),
        ({"a": [float("-inf")]}, NotANumber, "is -inf"),
        ({"a": 10**400}, OutOfRange, "bits"),
        ({"a": "x\0"}, ForbiddenCharacter, "NUL"),
        ({"\ud800": 1}, ForbiddenCharacter, "surrogate"),
        ({"a": _nested(DEEPEST)}, OutOfRange, "deep"),
        ({"a": _nested(100_000)}, OutOfRange, "deep"),
        ({"a": "x" * LONGEST_METADATA}, TextTooLong, "as JSON"),
    ],
)
def test_metadata_that_json_cannot_say_is_refused(items: Any, refused: type[InvalidInput], where: str) -> None:
    with pytest.raises(refused, match=where):
        Metadata(items)


def test_the_deepest_metadata_is_taken() -> None:
    assert Metadata({"a": _nested(DEEPEST - 1)})["a"]


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 100_000], ids=["empty", "broken", "a list", "too deep"])
def test_metadata_that_was_broken_in_its_store_can_still_be_hashed(text: str) -> None:
    broken = event("a", metadata=Metadata.stored(text))
    assert chained(ANCHOR, broken, 0, bytes(32)).hash != chained(ANCHOR, event("a"), 0, bytes(32)).hash
    with pytest.raises(LaminaError, match="verify the chain"):
        broken.metadata["a"]
