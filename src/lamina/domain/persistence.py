"""P4, persistence: where memory lives. The checkpointer is the framework's, the store is ours."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lamina.domain.frozen import Frozen, FrozenMap, Name, Words
from lamina.domain.record import LONGEST_BODY
from lamina.domain.tier import Tier


class CanonicalTable(Frozen):
    """The table that rules live in. Memory refers to it by foreign key and never copies from it (D6, D8).

    A rule's id is a UUID there; its version, its body and the anchor's columns are text.
    """

    schema_name: Name
    table: Name
    id_column: Name
    version_column: Name
    body_column: Name
    anchor_columns: FrozenMap[Name, Name]
    """For each key of the persistent anchor, the canonical table's own column."""


class Persistence(Frozen):
    """Which schema the tiers land in, how the tables are named, and what is kept beside the records."""

    schemas: FrozenMap[Tier, Name]
    """The schema that each tier lands in: the same for all, as one table holds them (D3)."""
    prefix: Name
    checkpointer_schema: Name | None = None
    """Where the framework keeps short-term interaction state, if it does; Lamina neither reads nor writes it."""
    cross_context_reads: Words
    """How another context reads this memory."""
    canonical: CanonicalTable | None = None
    body_bound: Annotated[int, Field(ge=1, le=LONGEST_BODY)] = 2_000
    corroborations: bool = True
    contradictions: bool = True
    partitions: Annotated[int, Field(ge=1, le=1_024)] = 1
    """Hash partitions by anchor; 1 is one plain table."""
