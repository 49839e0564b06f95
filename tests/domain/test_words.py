"""Words are told through every disguise, and a phrase is five of them in a row."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.confusables import DRAWN, MEANT, UNSEEN
from lamina.domain.words import PHRASE, phrases, share_held, words

RULE = "A proposal is promoted only if each of its claims carries a citation of an authoritative source."


@pytest.mark.parametrize(
    "disguised",
    [
        RULE.upper(),
        RULE.replace(" ", "\n\t "),
        RULE.replace(" ", " — "),
        "\u200b".join(RULE),
        "\u00ad".join(RULE),
        "\u202e".join(RULE),
        RULE.replace("a", "а").replace("o", "о").replace("e", "е"),  # Cyrillic
        RULE.replace("o", "ο").replace("i", "ι"),  # Greek
        "".join(f"{letter}\u0301" for letter in RULE),
        "".join(chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in RULE),  # full width
        RULE.replace("A", "\U0001d400"),  # a mathematical capital
    ],
)
def test_a_disguise_makes_no_difference(disguised: str) -> None:
    assert words(disguised) == words(RULE)


def test_another_word_does() -> None:
    assert words(RULE.replace("only", "never")) != words(RULE)
    assert words("Armenia") != words("Argentina")


@given(st.lists(st.from_regex(r"[a-z0-9]{1,9}", fullmatch=True), max_size=30))
def test_phrases_are_runs_of_words(said: list[str]) -> None:
    text = " ".join(said)
    assert words(text) == said
    assert all(len(phrase.split()) == PHRASE and f" {phrase} " in f" {text} " for phrase in phrases(text))
    assert (phrases(text) == frozenset()) == (len(said) < PHRASE)


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_text_is_held_whole_where_it_stands_among_others(of: str, more: str) -> None:
    assert share_held(of, f"{more} {of} {more}") == (1.0 if phrases(of) else 0.0)


def test_a_share_is_of_the_first_text() -> None:
    assert share_held("one two three four five six", "one two three four five") == 1 / 2
    assert share_held("one two three four five", "one two three four five six") == 1.0


def test_what_looks_alike_is_one_letter_for_one_that_nothing_else_undoes() -> None:
    assert len(DRAWN) == len(MEANT) == len(set(DRAWN))
    assert not set(DRAWN) & set(MEANT)
    assert all(unicodedata.normalize("NFKD", letter) == letter == letter.lower() for letter in DRAWN)
    assert all(first <= last for first, last in UNSEEN)
