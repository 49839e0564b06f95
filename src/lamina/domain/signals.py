"""What recall listens to (P5), each a name that a spec gives a weight."""

from __future__ import annotations

from enum import StrEnum


class Signal(StrEnum):
    """One source of evidence that a memory answers a query."""

    TAGS = "tags"
    """Structured match of the envelope."""
    SEMANTIC = "semantic"
    """Embedding similarity."""
    LEXICAL = "lexical"
    """The words themselves, BM25."""
    TIME = "time"
    """Recency, and the decay model of the cell."""
    NEIGHBOURHOOD = "neighbourhood"
    """An episode shares in what was said next to it in its session or loop."""
