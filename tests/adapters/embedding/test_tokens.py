from hypothesis import given
from hypothesis import strategies as st

from lamina.adapters.embedding.tokens import BundledTokens

TOKENS = BundledTokens()
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def test_counts_are_a_tokenizers() -> None:
    assert TOKENS.count(["", "one", "one two three"])[0] == 0
    one, three = TOKENS.count(["one", "one two three"])
    assert 0 < one < three < len("one two three")
    assert TOKENS.count([]) == []


@given(texts, st.integers(0, 30))
def test_what_is_trimmed_is_a_beginning_that_fits(text: str, most: int) -> None:
    beginning = TOKENS.trimmed(text, most)
    assert text.startswith(beginning)
    assert TOKENS.count([beginning])[0] <= most
    if TOKENS.count([text])[0] <= most:
        assert beginning == text


def test_as_much_is_kept_as_fits() -> None:
    text = "the quick brown fox jumps over the lazy dog " * 20
    for most in (1, 7, 50):
        assert TOKENS.count([TOKENS.trimmed(text, most)])[0] == most
