"""The tables of records, and of what they are found by."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Table
from sqlalchemy.dialects.postgresql import JSONB

from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.table_maker import TableMaker, instants, integers, texts, uuids


def meta(make: TableMaker) -> Table:
    """Which model the vectors come from: one row."""
    columns = [Column("only_row", Boolean, nullable=False), *texts("model"), *integers("dimension")]
    return make.table("meta", columns, ["only_row"])


def memory(make: TableMaker) -> Table:
    """The records (D3)."""
    columns = [
        *uuids("anchor_id"),
        *make.keys(),
        *uuids("id"),
        *uuids("session_id", "interaction_id", null=True),
        make.enum("tier"),
        make.enum("typology"),
        Column("tags", JSONB, nullable=False),
        *texts("body_text"),
        *texts("claim_subject", "claim_aspect", "claim_value", "subject_key", "aspect_key", null=True),
        make.enum("reach"),
        *instants("recorded_at"),
        *instants("granted_at", null=True),
        *instants("valid_at"),
        *instants("invalid_at", "held_at", null=True),
        *texts("held_by", null=True),
        *instants("promoted_at", null=True),
        *uuids("promoted_into", null=True),
        *instants("exempted_at", "archived_at", "invalidated_at", "former_invalid_at", "superseded_at", null=True),
        *uuids("superseded_by", null=True),
        *instants("tombstoned_at", null=True),
        *texts("state_reason", "erasure_reason", "world_version", null=True),
        *uuids("origin_session_id", "origin_interaction_id", null=True),
        *integers("origin_position", null=True),
        *uuids("embedding_id", null=True),
        *integers("version"),
    ]
    return make.table("memory", columns, ["anchor_id", "id"])


def embeddings(make: TableMaker) -> Table:
    """The retrievable table (D11)."""
    columns = [
        *uuids("anchor_id", "id", "memory_id"),
        *texts("cell", "model"),
        *integers("dimension"),
        Column("vector", VectorType(make.vector_schema), nullable=False),
        Column("indexed", Boolean, nullable=False),
    ]
    return make.table("embeddings", columns, ["anchor_id", "id"], make.to_memory("embeddings"))


def postings(make: TableMaker) -> Table:
    """For lexical search."""
    columns = [*uuids("anchor_id"), *texts("lexeme"), *uuids("memory_id"), *integers("tf", "length")]
    return make.table("postings", columns, ["anchor_id", "lexeme", "memory_id"], make.to_memory("postings"))
