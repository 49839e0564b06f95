"""The tables of records, and of what they are found by."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, FetchedValue, Integer, LargeBinary, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, ExcludeConstraint

from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.table_maker import TableMaker, instants, integers, texts, uuids
from lamina.domain.record_row import NOT_LIVE
from lamina.domain.typology import CELLS


def meta(make: TableMaker) -> Table:
    """Which model the vectors come from, and what the schema was made for: one row."""
    columns = [
        Column("only_row", Boolean, nullable=False),
        *texts("model"),
        *integers("dimension"),
        *texts("next_model", null=True),
        *integers("next_dimension", null=True),
        *texts("shape"),
    ]
    return make.table("meta", columns, ["only_row"], make.check("meta_only_row_check", "only_row"))


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
        # PostgreSQL makes it of the others, as its migration says.
        Column("sketch", LargeBinary, FetchedValue(), nullable=False),
    ]
    checks = [
        make.check("body_bound", f"char_length(body_text) <= {make.names.body_bound}"),
        make.check("validity", "valid_at <= invalid_at"),
        make.check("version_counts", "version >= 1"),
    ]
    return make.table("memory", columns, ["anchor_id", "id"], *checks, _live_claims(make))


def _live_claims(make: TableMaker) -> ExcludeConstraint:
    """Two live persistent claims about one matter never hold at one time."""
    live = " AND ".join(f"{name} IS NULL" for name in NOT_LIVE)
    return ExcludeConstraint(
        *((column, "=") for column in ("anchor_id", "typology", "subject_key", "aspect_key")),
        (text("tstzrange(valid_at, invalid_at)"), "&&"),
        where=text(f"tier = 'persistent' AND subject_key IS NOT NULL AND {live}"),
        name=make.names.own("live_claims"),
        using="gist",
    )


def embeddings(make: TableMaker) -> Table:
    """The retrievable table (D11)."""
    columns = [
        *uuids("anchor_id", "id", "memory_id"),
        *texts("cell", "model"),
        *integers("dimension"),
        Column("vector", VectorType(make.vector_schema), nullable=False),
        Column("indexed", Boolean, nullable=False),
    ]
    cells = ", ".join(f"'{cell}'" for cell in CELLS)
    checks = [
        make.check("embeddings_cell", f"cell IN ({cells})"),
        make.check("embeddings_dimension", f'"{make.vector_schema}".vector_dims(vector) = dimension'),
    ]
    return make.table("embeddings", columns, ["anchor_id", "id", "model"], make.to_memory("embeddings"), *checks)


def documents(make: TableMaker) -> Table:
    """Each record as the terms that it is found by."""
    columns = [
        *uuids("anchor_id", "memory_id"),
        *instants("valid_at"),
        *integers("length"),
        Column("terms", ARRAY(Text), nullable=False),
        Column("frequencies", ARRAY(Integer), nullable=False),
        Column("spread", Boolean, nullable=False),
    ]
    return make.table("documents", columns, ["anchor_id", "memory_id"], make.to_memory("documents"))


def postings(make: TableMaker) -> Table:
    """The same by term, of the documents that maintenance has spread."""
    columns = [
        *uuids("anchor_id"),
        *texts("term"),
        *uuids("memory_id"),
        *instants("valid_at"),
        *integers("tf", "length"),
    ]
    return make.table("postings", columns, ["anchor_id", "term", "memory_id"])


def anchors(make: TableMaker) -> Table:
    """Which anchors have memory."""
    return make.table("anchors", [*uuids("anchor_id"), *make.keys()], ["anchor_id"])
