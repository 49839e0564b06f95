"""Trigrams and their similarity.

Every golden value was read from PostgreSQL 18.6 with pg_trgm 1.6, in a UTF-8 database with the libc locale
C.UTF-8 of glibc 2.36: sets as `show_trgm(text)` prints them, similarities as `similarity(a, b)` prints them.
"""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain import trigram
from lamina.domain.trigram import as_real, overlap, similarity, trigrams

SHOWN = [
    ("", []),
    ("... !?", []),
    ("a", ["  a", " a "]),
    ("Word", ["  w", " wo", "ord", "rd ", "wor"]),
    ("two, two", ["  t", " tw", "two", "wo "]),
    ("x² + y²", ["  x", "  y", " x ", " y "]),
    ("snake_case", ["  c", "  s", " ca", " sn", "ake", "ase", "cas", "ke ", "nak", "se ", "sna"]),
    # Of Müller's three hashed trigrams one happens to be printable.
    ("Müller", ["0xef7d97", "  m", "0La", "0x366410", "er ", "ler", "lle"]),
    ("STRAẞE", ["0x9a07c3", "0xde3801", "  s", " st", "str", "tra", "0x76a40e"]),
    ("İ", ["  i", " i "]),
    ("ſ", ["0x6b41f3", "0x7fcdf6"]),
    ("Σ", ["0x94c17f", "0x958ac8"]),
    ("a\N{COMBINING ACUTE ACCENT}b", ["  a", "  b", " a ", " b "]),
    ("हिन्दी", ["0xde408c", "0xe03a4b", "0xe60afd", "0x12bba5", "0x2b4d84", "0x2c59c3", "0x6cfa98"]),
    ("東京都", ["0x1b0ad0", "0x4325b1", "0x5a06d4", "0x71aae1"]),
    ("한국어", ["0x8f047a", "0xacbc16", "0xce5166", "0x7b56bf"]),
    ("𐐀𐐁", ["0xaea103", "0xee6dda", "0x4bc32e"]),
    ("👩\N{ZERO WIDTH JOINER}💻 Go", ["  g", " go", "go "]),
]

SIMILAR = [
    ("", "", "0"),
    ("", "a", "0"),
    ("...", "...", "0"),
    ("word", "two words", "0.36363637"),
    ("the quick brown fox", "the quick red fox", "0.5833333"),
    ("0123", "1230", "0.11111111"),
    ("tab\tand\nline", "line and tab", "1"),
    ("don't", "don t", "1"),
    ("Müller", "Mueller", "0.36363637"),
    ("MÜLLER", "müller", "1"),
    ("STRASSE", "straße", "0.36363637"),
    ("STRAẞE", "straße", "1"),
    ("İstanbul", "istanbul", "1"),
    ("Isparta", "ısparta", "0.45454547"),
    ("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}", "0.42857143"),
    ("cafe\N{COMBINING ACUTE ACCENT}", "cafe", "1"),
    ("\N{KELVIN SIGN}", "k", "1"),
    ("ſ", "s", "0"),
    ("ǅ", "ǆ", "1"),
    ("Ⅻ", "ⅻ", "1"),
    ("①", "①", "0"),
    # The last sigma is not lower-cased to a final one.
    ("ΣΊΣΥΦΟΣ", "σίσυφος", "0.6"),
    ("Привет, мир", "привет мир!", "1"),
    ("Ꭰ", "ꭰ", "1"),
    ("𐐀𐐁", "𐐨𐐩", "1"),
    ("हिन्दी", "हिंदी", "0.3"),
    ("สวัสดี", "สวัสดีครับ", "0.5"),
    ("한국어", "한국", "0.4"),
    ("東京都", "東京", "0.4"),
    ("東京都庁", "京都府庁", "0"),
    ("👩\N{ZERO WIDTH JOINER}💻", "👩\N{ZERO WIDTH JOINER}💻", "0"),
    ("👩\N{ZERO WIDTH JOINER}💻 code", "code", "1"),
    ("\ue000a", "a", "1"),
    # Hashes collide: with one another, and with three plain letters.
    ("агд", "хтф", "0.14285715"),
    ("千", "b08", "0.2"),
]

# sha256 over the UTF-8 of all code points in order, each lower-cased, or a blank where it is in no trigram.
FOLDED = "20d6f2e5bb3a9352fe611513c3f41aed7d1133af1305ec925a6ffc6a15eb65e8"

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
ascii_texts = st.text(st.characters(min_codepoint=1, max_codepoint=0x7F), max_size=60)


def number(shown: str) -> int:
    return int(shown, 16) if shown.startswith("0x") else int.from_bytes(shown.encode(), "big")


def window_by_window(text: str) -> set[int]:
    """The definition, hashing one trigram after the other."""
    words = text.translate(trigram._Folding()).split(" ")
    padded = [f"  {word} " for word in words if word]
    return {packed(word[at : at + 3].encode()) for word in padded for at in range(len(word) - 2)}


def packed(encoded: bytes) -> int:
    if len(encoded) == 3:
        return int.from_bytes(encoded, "big")
    register = 0xFFFFFFFF
    for byte in encoded:
        register = crc_entry(register >> 24 ^ byte) ^ (register << 8 & 0xFFFFFFFF)
    return int.from_bytes((~register & 0xFFFFFF).to_bytes(3, "little"), "big")


def crc_entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (byte & 1) * 0xEDB88320
    return byte


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_trigrams_are_those_the_server_shows(text: str, shown: list[str]) -> None:
    assert trigrams(text) == {number(each) for each in shown}


@pytest.mark.parametrize(("a", "b", "printed"), SIMILAR)
def test_similarity_is_the_servers(a: str, b: str, printed: str) -> None:
    assert similarity(a, b) == as_real(float(printed))


def test_every_code_point_folds_as_on_the_server() -> None:
    codes = [*range(1, 0xD800), *range(0xE000, 0x110000)]
    folded = "".join(map(chr, codes)).translate(trigram._Folding())
    assert hashlib.sha256(folded.encode()).hexdigest() == FOLDED


@given(texts)
def test_hashing_columns_equals_hashing_windows(text: str) -> None:
    assert trigrams(text) == window_by_window(text)


@given(texts)
def test_a_trigram_is_three_bytes(text: str) -> None:
    assert all(0 <= each < 1 << 24 for each in trigrams(text))


@given(texts, texts)
def test_words_count_each_for_themselves(a: str, b: str) -> None:
    assert trigrams(f"{a} {b}") == trigrams(a) | trigrams(b)


@given(st.lists(texts).flatmap(lambda words: st.tuples(st.just(words), st.permutations(words))))
def test_word_order_does_not_matter(orders: tuple[list[str], list[str]]) -> None:
    one, other = orders
    assert trigrams(" ".join(one)) == trigrams(" ".join(other))


@given(ascii_texts)
def test_ascii_case_does_not_matter(text: str) -> None:
    assert trigrams(text.upper()) == trigrams(text.lower()) == trigrams(text)


@given(texts, texts)
def test_similarity_is_symmetric(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a)


@given(texts, texts)
def test_similarity_is_a_real_from_0_to_1(a: str, b: str) -> None:
    found = similarity(a, f"{a} {b}")
    assert 0.0 <= found <= 1.0
    assert as_real(found) == found


@given(texts)
def test_a_text_with_any_trigram_is_wholly_similar_to_itself(text: str) -> None:
    assert similarity(text, text) == (1.0 if trigrams(text) else 0.0)


@given(texts, texts)
def test_overlap_takes_sizes_for_sets(a: str, b: str) -> None:
    left, right = trigrams(a), trigrams(f"{a} {b}")
    assert overlap(len(left & right), len(left), len(right)) == similarity(a, f"{a} {b}")


def test_exactly_17_of_20_is_not_above_085() -> None:
    found = similarity("abcdefghijklmnopq", "abcdefghijklmnopqr")
    assert found == as_real(17 / 20)
    assert not found > as_real(0.85)
    assert found > 0.85  # what a comparison in double precision would say


def test_exactly_7_of_10_reaches_07() -> None:
    found = similarity("abcdefg", "abcdefgh")
    assert found >= as_real(0.7)
    assert not found >= 0.7  # what a comparison in double precision would say


@given(st.floats(width=32, allow_nan=False))
def test_as_real_keeps_what_is_real_already(x: float) -> None:
    assert as_real(x) == x
