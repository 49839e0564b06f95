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

from lamina.domain.errors import StoreUnavailable
from lamina.domain.retrieval import BUNDLED

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Array = np.ndarray[Any, Any]
MOST_TOKENS: Final = 4_096
"""How many tokens are looked up at once: what they take fits a processor's cache."""


class BundledEmbedder:
    """The mean of the token vectors, of unit length. Loaded when first used."""

    model: Final = BUNDLED.model
    dimension: Final = BUNDLED.dimension

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        tokens = [one.ids for one in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]
        sums: Array = np.zeros((len(tokens), self.dimension), dtype=np.float32)
        for places in _alike(tokens):
            sums[places] = self._weights[np.array([tokens[place] for place in places], dtype=np.int64)].sum(axis=1)
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
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer()


@cache
def load_tokenizer() -> Tokenizer:
    """The tokenizer that the model ships, loaded once for all who count or embed."""
    from tokenizers import Tokenizer  # noqa: PLC0415 (only when first used)

    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _alike(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of texts with as many tokens as one another, a few at a time: those are added up in one go."""
    by_length: dict[int, list[int]] = {}
    for place, ids in enumerate(tokens):
        by_length.setdefault(len(ids), []).append(place)
    for length, places in by_length.items():
        step = max(1, MOST_TOKENS // max(1, length))
        for start in range(0, len(places), step):
            yield places[start : start + step]


def _of_unit_length(sums: Array) -> Array:
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    # A sum of nothing but zeros has no direction; any will do, as long as it is one.
    sums[norms[:, 0] == 0, 0], norms[norms == 0] = 1.0, 1.0
    unit: Array = (sums / norms).astype(np.float32)
    return unit


def _folder() -> Path:
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise StoreUnavailable("bundled model", "is not installed", "install the package wordllama")
    return Path(next(iter(spec.submodule_search_locations)))


if TYPE_CHECKING:
    from lamina.ports.embedder import Embedder

    _: type[Embedder] = BundledEmbedder
