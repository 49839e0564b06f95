"""What every repository of one unit of work shares."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.statements import Statements
from lamina.adapters.duckdb.trigram_postings import PostingsByAnchor
from lamina.adapters.duckdb.vectors import Collections
from lamina.domain.anchor import Anchor
from lamina.domain.retrieval import EmbeddingChoice


@dataclass(frozen=True, slots=True)
class Transaction:
    """One cursor, bound to one anchor, beside what numpy holds of it."""

    statements: Statements
    names: Names
    anchor: Anchor
    embedding: EmbeddingChoice
    collections: Collections
    postings: PostingsByAnchor

    def forget(self) -> None:
        """Lets go of what numpy holds of the anchor: it may say what was undone."""
        self.collections.forget(self.anchor.id)
        self.postings.pop(self.anchor.id, None)
