from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.agents import WORLD_AGENT
from lamina.domain.anchor import Anchor, AnchorKey, AnchorModel
from lamina.domain.errors import BlankText, ForbiddenCharacter, MissingKey, TextTooLong, UnknownKey, WrongType
from lamina.testing.strategies import anchors, texts

MODEL = WORLD_AGENT.persistent_anchor


def test_an_anchor_has_every_key_in_the_specs_order() -> None:
    anchor = MODEL.bind({"domain_id": "kyc", "org_id": "acme"})
    assert anchor.parts == (("org_id", "acme"), ("domain_id", "kyc"))
    assert str(anchor) == "org_id=acme, domain_id=kyc"


def test_the_id_of_an_anchor_is_part_of_the_storage_format() -> None:
    assert MODEL.bind({"org_id": "acme", "domain_id": "kyc"}).id == UUID("17fffb24-77cb-5a64-832d-5fe3e3200311")


def test_the_id_does_not_depend_on_how_json_is_escaped() -> None:
    assert Anchor((("org_id", "ácmé"),)).id == uuid5(
        UUID("6c616d69-6e61-5061-8e63-686f72000001"), '[["org_id", "ácmé"]]'
    )


@given(anchors(), anchors())
def test_two_anchors_have_one_id_only_if_they_are_one(one: Anchor, other: Anchor) -> None:
    assert (one.id == other.id) == (one == other)


@given(texts(20), texts(20), texts(20))
def test_parts_never_run_together(a: str, b: str, c: str) -> None:
    assert Anchor((("x", a + b), ("y", c))).id != Anchor((("x", a), ("y", b + c))).id


def test_numbers_and_uuids_are_taken_as_they_are_written() -> None:
    seven = UUID(int=7)
    assert MODEL.bind({"org_id": 7, "domain_id": seven}).parts == (("org_id", "7"), ("domain_id", str(seven)))


@pytest.mark.parametrize(
    ("values", "error", "says"),
    [
        ({"org_id": "acme"}, MissingKey, "anchor lacks domain_id; give org_id=..., domain_id=..."),
        ({}, MissingKey, "anchor lacks org_id, domain_id"),
        ({"org_id": "a", "domain_id": "b", "user": "c"}, UnknownKey, "anchor has no key 'user'; its keys are"),
        ({"org_id": " ", "domain_id": "b"}, BlankText, "anchor key org_id has nothing visible"),
        ({"org_id": "a\0", "domain_id": "b"}, ForbiddenCharacter, "anchor key org_id has a NUL byte at 1"),
        ({"org_id": "a" * 201, "domain_id": "b"}, TextTooLong, "anchor key org_id has 201 characters"),
        ({"org_id": None, "domain_id": "b"}, WrongType, "anchor key org_id is a NoneType"),
        ({"org_id": True, "domain_id": "b"}, WrongType, "anchor key org_id is a bool"),
    ],
)
def test_bad_anchors(values: dict[str, str], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        MODEL.bind(values)


def test_a_query_across_anchors_may_leave_only_nullable_keys_open() -> None:
    pattern = MODEL.pattern({"org_id": "acme"})
    assert pattern.matches(MODEL.bind({"org_id": "acme", "domain_id": "kyc"}))
    assert not pattern.matches(MODEL.bind({"org_id": "acmes", "domain_id": "kyc"}))
    with pytest.raises(MissingKey, match="leaves org_id open"):
        MODEL.pattern({"domain_id": "kyc"})


@given(st.data())
def test_a_pattern_matches_by_equality_only(data: st.DataObject) -> None:
    model = AnchorModel(keys=tuple(AnchorKey(name=name, nullable_across=True) for name in ("a", "b")))
    anchor = data.draw(anchors("a", "b"))
    wanted = data.draw(
        st.dictionaries(st.sampled_from(["a", "b"]), texts(20) | st.sampled_from([v for _, v in anchor.parts]))
    )
    values = dict(anchor.parts)
    assert model.pattern(wanted).matches(anchor) == all(values[name] == value for name, value in wanted.items())
