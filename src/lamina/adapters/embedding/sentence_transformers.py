"""Transformer models by sentence-transformers (extra `transformers`): a hub name or a local folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina.domain.errors import StoreUnavailable
from lamina.domain.retrieval import PINNED

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

INSTRUCTIONS: Final = {"BAAI/bge-small-en-v1.5": "Represent this sentence for searching relevant passages: "}
"""What a model was trained to be asked with, where it is."""
LONG_RUN: Final = 2_000
"""From so many texts on, progress is shown."""


class SentenceTransformerEmbedder:
    """One model, loaded once."""

    def __init__(
        self, name_or_folder: str = PINNED.model, *, model: str | None = None, device: str | None = None
    ) -> None:
        """`model` is the name kept with each vector; by default the name that it is loaded by."""
        self.model = model or name_or_folder
        self._loaded = _load(name_or_folder, device)
        self._instruction = INSTRUCTIONS.get(self.model, "")
        self.dimension = self._encoded(["how long is a vector?"]).shape[1]

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        return [row.tobytes() for row in self._encoded(list(texts))]

    def query(self, text: str) -> bytes:
        """The vector of a text to search by, asked as the model was trained to be."""
        return self.queries([text])[0]

    def queries(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts to search by."""
        return [row.tobytes() for row in self._encoded([self._instruction + text for text in texts])]

    def _encoded(self, texts: list[str]) -> np.ndarray[Any, Any]:
        vectors = self._loaded.encode(
            texts, batch_size=64, normalize_embeddings=True, show_progress_bar=len(texts) >= LONG_RUN
        )
        return np.asarray(vectors, dtype=np.float32)


def _load(name: str, device: str | None) -> SentenceTransformer:
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (heavy, and an extra)
    except ImportError as error:
        raise StoreUnavailable(
            f"model {name}", "needs sentence-transformers", "install the extra: pip install 'lamina[transformers]'"
        ) from error
    try:
        return SentenceTransformer(name, device=device)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise StoreUnavailable(
            f"model {name}", f"cannot be loaded: {reason}", "give a local folder, or go online"
        ) from error


if TYPE_CHECKING:
    from lamina.ports.embedder import Embedder

    _: type[Embedder] = SentenceTransformerEmbedder
