"""Lexemes: what two texts about one thing have in common."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

from lamina.adapters.text.snowball import SnowballLexer
from lamina.domain.terms import LONGEST_LEXEME
from lamina.testing.strategies import texts

LEXER = SnowballLexer()


@pytest.mark.parametrize(
    ("text", "lexemes"),
    [
        ("The gates were refusing proposals", ["gate", "refus", "propos"]),
        ("Caroline's and Caroline’s", ["carolin", "carolin"]),
        ("don't, won’t, the", []),
        ("raised by 12.5% in 2024", ["rais", "12", "5", "2024"]),
        ("snake_case", ["snake", "case"]),
        ("Straße STRASSE", ["strass", "strass"]),
        ("naïve nai\u0308ve ﬁne", ["naïv", "naïv", "fine"]),
        ("数据库", ["数据", "据库"]),
        ("東 京都 data", ["東", "京都", "data"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("x" * 100, ["x" * LONGEST_LEXEME]),
        ("?!", []),
    ],
)
def test_words_without_their_endings(text: str, lexemes: list[str]) -> None:
    assert LEXER.lexemes([text]) == [lexemes]


@given(texts())
def test_a_lexeme_fits_an_index_and_is_never_a_label(text: str) -> None:
    (lexemes,) = LEXER.lexemes([text])
    assert all(0 < len(lexeme) <= LONGEST_LEXEME and not lexeme.startswith("[") for lexeme in lexemes)


@given(texts())
def test_plain_text_is_taken_apart_like_any_other(text: str) -> None:
    plain = text.encode("ascii", "ignore").decode()
    assert LEXER.lexemes([plain + " é"])[0][:-1] == LEXER.lexemes([plain])[0]


def test_threads_do_not_share_a_stemmer() -> None:
    words = [f"refusing{number} gates" for number in range(2_000)]
    expected = LEXER.lexemes(words)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(LEXER.lexemes, [words] * 8))
