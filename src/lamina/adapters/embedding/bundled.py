"""The static model that ships inside the `wordllama` package: real weights, no download, no accelerator.

Its files are read without importing the package, which would set up logging for the whole process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina.adapters.embedding.words import Tokens, Words
from lamina.domain.errors import StoreUnavailable
from lamina.domain.retrieval import BUNDLED

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Array = np.ndarray[Any, Any]
MOST_BYTES: Final = 4 * 4_096
"""How much of tokens is looked up at once: their vectors fit a processor's cache."""


class BundledEmbedder:
    """The mean of the token vectors, of unit length. Loaded when first used."""

    model: Final = BUNDLED.model
    dimension: Final = BUNDLED.dimension

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        if len(texts) == 1:
            # The same sum, without looking for others of its size.
            together = np.frombuffer(self._words.of(texts[0]), dtype=np.intc)
            return [_of_unit_length(self._weights.take(together, axis=0).sum(axis=0, keepdims=True)).tobytes()]
        tokens = self._words.tokens(texts)
        sums: Array = np.zeros((len(tokens), self.dimension), dtype=np.float32)
        for places in _alike(tokens):
            together = np.frombuffer(b"".join([tokens[place] for place in places]), dtype=np.intc)
            sums[places] = self._weights.take(together.reshape(len(places), -1), axis=0).sum(axis=1)
        return [row.tobytes() for row in _of_unit_length(sums)]

    def query(self, text: str) -> bytes:
        """The vector of a text to search by: this model wants it asked like any other."""
        return self.documents([text])[0]

    def queries(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts to search by."""
        return self.documents(texts)

    @cached_property
    def _weights(self) -> Array:
        from safetensors.numpy import load_file  # noqa: PLC0415 (only when first used)

        weights: Array = load_file(_folder() / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
        return weights.astype(np.float32)

    @cached_property
    def _words(self) -> Words:
        return Words(load_tokenizer())


@cache
def load_tokenizer() -> Tokenizer:
    """The tokenizer that the model ships, loaded once for all who count or embed."""
    from tokenizers import Tokenizer  # noqa: PLC0415 (only when first used)

    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _alike(tokens: Sequence[Tokens]) -> Iterator[list[int]]:
    """The places of texts with as many tokens as one another, a few at a time: those are added up in one go."""
    by_size: dict[int, list[int]] = {}
    for place, one in enumerate(tokens):
        by_size.setdefault(len(one), []).append(place)
    by_size.pop(0, None)
    for size, places in by_size.items():
        step = max(1, MOST_BYTES // size)
        for start in range(0, len(places), step):
            yield places[start : start + step]


def _of_unit_length(sums: Array) -> Array:
    norms = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
    if not norms.all():
        # A sum of nothing but zeros has no direction; any will do, as long as it is one.
        sums[norms[:, 0] == 0, 0], norms[norms == 0] = 1.0, 1.0
    sums /= norms
    return sums


def _folder() -> Path:
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise StoreUnavailable("bundled model", "is not installed", "install the package wordllama")
    return Path(next(iter(spec.submodule_search_locations)))


if TYPE_CHECKING:
    from lamina.ports.embedder import Embedder

    _: type[Embedder] = BundledEmbedder
