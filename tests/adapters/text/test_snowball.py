"""Lexemes: what two texts about one thing have in common."""

import pytest
from hypothesis import given

from lamina.adapters.text.snowball import SnowballLexer
from lamina.domain.terms import LONGEST_LEXEME
from lamina.ports.lexer import Lexer
from lamina.testing.contracts import LexerContract
from lamina.testing.strategies import texts

LEXER = SnowballLexer()


class TestSnowball(LexerContract):
    @pytest.fixture
    def lexer(self) -> Lexer:
        return LEXER


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
    assert LEXER.lexemes([text]) == [tuple(lexemes)]


@given(texts())
def test_plain_text_is_taken_apart_like_any_other(text: str) -> None:
    plain = text.encode("ascii", "ignore").decode()
    assert LEXER.lexemes([plain + " é"])[0][:-1] == LEXER.lexemes([plain])[0]


@pytest.mark.parametrize(
    ("word", "forms"),
    [("went", {"go", "gone", "goe"}), ("children", {"child"}), ("bought", {"buy"}), ("gate", set()), ("did", set())],
)
def test_irregular_forms(word: str, forms: set[str]) -> None:
    (lexemes,) = LEXER.lexemes([word])
    assert {form for lexeme in lexemes for form in LEXER.forms(lexeme)} == forms
