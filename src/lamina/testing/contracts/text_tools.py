"""What every tokenizer and every comparison of texts keeps its word on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.ports.fuzzy import Fuzzy
from lamina.ports.tokens import Tokens
from lamina.testing.contracts.records import SHARED
from lamina.testing.strategies import texts


class TokensContract:
    """Counts, and cuts by what it counts. A fixture `tokens` gives one."""

    @settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(texts(60), max_size=4))
    def test_each_text_has_some(self, tokens: Tokens, several: list[str]) -> None:
        counted = tokens.count(several)
        assert len(counted) == len(several)
        assert all(count > 0 for count in counted)

    @settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
    @given(text=texts(80), most=st.integers(0, 30))
    def test_what_is_trimmed_fits_and_is_a_beginning(self, tokens: Tokens, text: str, most: int) -> None:
        trimmed = tokens.trimmed(text, most)
        assert text.startswith(trimmed)
        assert not trimmed or tokens.count([trimmed])[0] <= most
        if tokens.count([text])[0] <= most:
            assert trimmed == text


class FuzzyContract:
    """Compares one text with many, from 0 to 100. A fixture `fuzzy` gives one."""

    def test_a_text_with_all_the_words_is_the_most_alike(self, fuzzy: Fuzzy) -> None:
        found = fuzzy.token_set_ratios("gate citations", ["citations for the gate", "lunch at noon", "gate"])
        assert [0 <= ratio <= 100 for ratio in found] == [True] * 3
        assert found[0] == max(found) == 100
        assert found[1] == min(found)

    def test_nothing_to_compare_with(self, fuzzy: Fuzzy) -> None:
        assert list(fuzzy.token_set_ratios("gate", [])) == []
