"""An embedder by its name."""

from __future__ import annotations

from typing import Final

from lamina.domain.text import checked_text
from lamina.ports.embedder import Embedder

BUNDLED: Final = "bundled"
HASHING: Final = "hashing"


def find_embedder(name: str = BUNDLED) -> Embedder:
    """The bundled model, the hashing one for tests, or a transformer by its hub name or local folder."""
    checked_text(name, "embedder", at_most=4_000)
    # Each is imported only when it is chosen: a transformer is an extra, and heavy.
    if name == BUNDLED:
        from lamina.adapters.embedding.bundled import BundledEmbedder  # noqa: PLC0415

        return BundledEmbedder()
    if name == HASHING:
        from lamina.adapters.embedding.hashing import HashingEmbedder  # noqa: PLC0415

        return HashingEmbedder()
    from lamina.adapters.embedding.sentence_transformers import SentenceTransformerEmbedder  # noqa: PLC0415

    return SentenceTransformerEmbedder(name)
