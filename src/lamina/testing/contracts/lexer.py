"""What every lexer keeps its word on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.domain.terms import LONGEST_LEXEME
from lamina.ports.lexer import Lexer
from lamina.testing.contracts.records import SHARED
from lamina.testing.strategies import texts


class LexerContract:
    """Lexemes fit an index, and are no labels. A fixture `lexer` gives one."""

    @settings(max_examples=60, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(texts(), max_size=4))
    def test_each_text_is_taken_apart_by_itself(self, lexer: Lexer, several: list[str]) -> None:
        assert lexer.lexemes(several) == [lexer.lexemes([text])[0] for text in several]

    @settings(max_examples=60, deadline=None, suppress_health_check=SHARED)
    @given(text=texts())
    def test_a_lexeme_fits_an_index_and_is_never_a_label(self, lexer: Lexer, text: str) -> None:
        for lexeme in lexer.lexemes([text])[0]:
            assert 0 < len(lexeme) <= LONGEST_LEXEME
            assert not lexeme.startswith("[")
            assert "\x1f" not in lexeme

    def test_order_and_repetitions_are_kept(self, lexer: Lexer) -> None:
        gate, source, again = lexer.lexemes(["gate source gate"])[0]
        assert gate == again != source

    def test_case_does_not_matter(self, lexer: Lexer) -> None:
        assert lexer.lexemes(["Gate SOURCE"]) == lexer.lexemes(["gate source"])

    @settings(max_examples=60, deadline=None, suppress_health_check=SHARED)
    @given(text=texts() | st.sampled_from(["went", "children", "better", "leaves"]))
    def test_forms_are_forms_of_one_another(self, lexer: Lexer, text: str) -> None:
        for lexeme in lexer.lexemes([text])[0]:
            assert lexeme not in lexer.forms(lexeme)
            for other in lexer.forms(lexeme):
                assert lexeme in lexer.forms(other)

    def test_threads_may_share_it(self, lexer: Lexer) -> None:
        words = [f"refusing{number} gates" for number in range(500)]
        expected = lexer.lexemes(words)
        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(lexer.lexemes, [words] * 8))
