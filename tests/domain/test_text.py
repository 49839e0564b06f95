import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.errors import BlankText, ForbiddenCharacter, InvalidInput, TextTooLong
from lamina.domain.text import checked_text, folded
from lamina.testing.strategies import texts


@given(texts())
def test_a_good_text_comes_back_unchanged(text: str) -> None:
    assert checked_text(text, "body", at_most=200) == text


@pytest.mark.parametrize("blank", ["", " ", "\t\n\u2003", "\u200b\u200d", "\ufeff \u2060", "\u2028", "\u2029"])
def test_nothing_visible_is_refused(blank: str) -> None:
    with pytest.raises(BlankText, match="body has nothing visible"):
        checked_text(blank, "body", at_most=200)


@pytest.mark.parametrize(("text", "at"), [("a\0b", 1), ("ab\ud800", 2), ("\udfff", 0)])
def test_what_no_store_can_hold_is_refused_with_its_place(text: str, at: int) -> None:
    with pytest.raises(ForbiddenCharacter, match=f"at {at}"):
        checked_text(text, "tag city", at_most=200)


def test_the_bound_is_inclusive() -> None:
    assert checked_text("x" * 10, "body", at_most=10)
    with pytest.raises(TextTooLong, match="body has 11 characters, 10 is the bound"):
        checked_text("x" * 11, "body", at_most=10)


@given(st.text())
def test_whatever_is_taken_can_be_stored(text: str) -> None:
    try:
        checked_text(text, "body", at_most=10_000)
    except InvalidInput:
        return
    assert text.encode().decode() == text
    assert "\0" not in text


@given(texts())
def test_folding_is_idempotent(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert folded(f"  {text}\t") == folded(text)


def test_folding_case_can_undo_normalization() -> None:
    assert folded("\u01f0") == folded("j\u030c") == folded(folded("\u01f0"))


def test_folding_joins_what_is_the_same_name() -> None:
    assert folded("  Operator\u00a07 ") == folded("operator 7") == folded("ＯＰＥＲＡＴＯＲ 7")
