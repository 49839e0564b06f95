"""Token counts by the tokenizer that the bundled model ships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina.adapters.embedding.bundled import load_tokenizer


class BundledTokens:
    """Real counts, without a download. Another model's tokenizer may count a little otherwise."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        return [len(one.ids) for one in load_tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]

    def trimmed(self, text: str, most: int) -> str:
        """The longest beginning of the text with at most so many tokens."""
        encoded = load_tokenizer().encode(text, add_special_tokens=False)
        if len(encoded.ids) <= most:
            return text
        kept = most
        while kept > 0:
            beginning = text[: encoded.offsets[kept - 1][1]]
            # Cut off, the last token may be taken apart otherwise.
            if self.count([beginning])[0] <= most:
                return beginning
            kept -= 1
        return ""


if TYPE_CHECKING:
    from lamina.ports.tokens import Tokens

    _: type[Tokens] = BundledTokens
