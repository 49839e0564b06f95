"""What every repository of one unit of work shares."""

from __future__ import annotations

from typing import NamedTuple

from lamina.adapters.duckdb.held import Held
from lamina.adapters.duckdb.held_records import HeldRecords
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.statements import Statements
from lamina.domain.anchor import Anchor
from lamina.domain.retrieval import EmbeddingChoice


class Transaction(NamedTuple):
    """One cursor, bound to one anchor, beside what numpy holds of it."""

    statements: Statements
    names: Names
    anchor: Anchor
    embedding: EmbeddingChoice
    held: Held

    @property
    def held_records(self) -> HeldRecords:
        """The records of the anchor that are held."""
        return self.held.records.get(self.anchor.id, HeldRecords)
