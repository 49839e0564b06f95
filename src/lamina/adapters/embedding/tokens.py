"""Tokens as the bundled model's own tokenizer counts them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from lamina.adapters.embedding.bundled import bundled_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class BundledTokens:
    """A real tokenizer, without its model. Loaded when first used."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text is."""
        return [len(one.ids) for one in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def cut(self, text: str, most: int) -> str:
        """The beginning of a text that is at most so many tokens."""
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= most else text[: offsets[most - 1][1] if most else 0]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return bundled_tokenizer()


if TYPE_CHECKING:
    from lamina.ports.tokens import Tokens

    _: type[Tokens] = BundledTokens
