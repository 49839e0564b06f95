"""Personal data is cut out whole, and what a reason says of it does not repeat it."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.discipline import Canonical, NonMirror
from lamina.domain.personal_data import Found, apart, kinds_of, redacted, refused_personal_data

TEXT = "Call Ann at +1 415 555 0132 or ann@example.org today"
PHONE, EMAIL = Found(12, 27, "phone number"), Found(31, 46, "email address")


def test_each_piece_is_replaced_by_what_it_is() -> None:
    assert redacted(TEXT, [EMAIL, PHONE]) == "Call Ann at [phone number] or [email address] today"
    assert kinds_of([EMAIL, PHONE, EMAIL]) == "phone number and email address"


def test_a_refusal_says_what_and_where_and_never_the_thing_itself() -> None:
    entry = NonMirror(category=Canonical.PERSONAL_DATA, refer_by="the customer record's own id")
    refusal = refused_personal_data(entry, [PHONE, EMAIL])
    assert refusal.rule == "personal-data"
    assert "phone number at character 12, email address at character 31" in refusal.reason
    assert "the customer record's own id" in refusal.reason
    assert "415" not in refusal.reason
    assert "ann@" not in refusal.reason


SPANS = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda one: Found(one[0], one[0] + one[1], "thing"))


@given(st.lists(SPANS, max_size=8))
def test_pieces_that_overlap_become_one_and_none_is_left(found: list[Found]) -> None:
    kept = apart(found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(kept))
    assert all(any(one.start < other.end and other.start < one.end for other in kept) for one in found)
    text = "x" * 60
    assert redacted(text, found).count("x") == 60 - sum(one.end - one.start for one in kept)
