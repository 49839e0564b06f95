"""A reranker by its name."""

from __future__ import annotations

from lamina.domain.text import checked_text
from lamina.ports.reranker import Reranker


def find_reranker(name: str) -> Reranker:
    """A cross-encoder by its hub name or local folder (extra `transformers`)."""
    checked_text(name, "reranker", at_most=4_000)
    from lamina.adapters.embedding.cross_encoder import CrossEncoderReranker  # noqa: PLC0415 (an extra, and heavy)

    return CrossEncoderReranker(name)
