"""Taking texts apart word by word gives the tokens that taking them apart as a whole gives."""

from array import array
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from lamina.adapters.embedding import words as words_module
from lamina.adapters.embedding.words import Words
from lamina.testing.strategies import texts

package = find_spec("wordllama")
assert package is not None
assert package.origin is not None
TOKENIZER = Tokenizer.from_file(str(Path(package.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"))
WORDS = Words(TOKENIZER)


def whole(text: str) -> bytes:
    return array("i", TOKENIZER.encode(text, add_special_tokens=False).ids).tobytes()


AWKWARD = st.lists(
    st.sampled_from(
        ["gate", "Citations", "東京", "é", "<s>", "</s>", "<unk>", "<", "\u2581", " ", "  ", "\n", "\t", "7", "🙂", ""]
    )
).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(texts() | AWKWARD, max_size=4))
def test_the_tokens_are_those_of_the_whole(several: list[str]) -> None:
    assert WORDS.tokens(several) == [whole(text) for text in several]
    assert [WORDS.of(text) for text in several] == [whole(text) for text in several]


def test_no_token_reaches_into_the_next_word() -> None:
    assert not [token for token in TOKENIZER.get_vocab() if "\u2581" in token.lstrip("\u2581")]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "MOST_WORDS", 10)
    remembering = Words(TOKENIZER)
    for number in range(50):
        text = f"word {number} and another {number + 1} {'x' * 40}"
        assert remembering.tokens([text]) == [whole(text)]
        assert len(remembering._known) <= 10
        assert not any(len(word) > 32 for word in remembering._known), "a whole text is not remembered"
