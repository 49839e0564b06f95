"""The tables of what is derived from events: the same for each persona, and apart."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Integer, Table, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.table_maker import TableMaker, instants, integers, texts, uuids
from lamina.domain.derivation import DerivationStatus
from lamina.domain.loop_state import Phase

DERIVED: Final = (
    "entry", "status", "attempts", "last_error", "length", "terms", "frequencies", "model", "vector",
)  # fmt: skip
"""What of a long-term entry is written over until it is derived."""
SUMMED: Final = (
    "phase", "last_position", "last_ts", "kind", "visibility", "covers", "summary", "normalized", "status", "attempts",
    "last_error",
)  # fmt: skip
"""What of a summary is written over when its loop goes on."""
_STATUSES: Final = ", ".join(f"'{status}'" for status in DerivationStatus)
_PHASES: Final = ", ".join(f"'{phase}'" for phase in Phase)


def agents(make: TableMaker) -> Table:
    """Which agents have events, by persona."""
    return make.table("agents", [*texts("persona"), *uuids("anchor_id"), *make.keys()], ["anchor_id", "persona"])


def actor_ltm(make: TableMaker) -> Table:
    """The actor's long-term memory."""
    return _long_term(make, "actor")


def subconscious_ltm(make: TableMaker) -> Table:
    """The subconscious's long-term memory."""
    return _long_term(make, "subconscious")


def actor_stm(make: TableMaker) -> Table:
    """The actor's short-term memory."""
    return _short_term(make, "actor")


def subconscious_stm(make: TableMaker) -> Table:
    """The subconscious's short-term memory."""
    return _short_term(make, "subconscious")


def _long_term(make: TableMaker, persona: str) -> Table:
    name = f"{persona}_ltm"
    columns = [
        *uuids("anchor_id"),
        *integers("position"),
        *uuids("id"),
        *texts("collection"),
        *uuids("loop_id"),
        *instants("ts"),
        *texts("kind", "visibility"),
        *texts("entry", null=True),
        *texts("status"),
        *integers("attempts"),
        *texts("last_error", null=True),
        *integers("length"),
        Column("terms", ARRAY(Text), nullable=False),
        Column("frequencies", ARRAY(Integer), nullable=False),
        *texts("model", null=True),
        Column("vector", VectorType(make.vector_schema), nullable=True),
    ]
    event = make.columns_of(f"{persona}_events", "anchor_id", "position")
    return make.table(
        name,
        columns,
        ["anchor_id", "position"],
        UniqueConstraint("anchor_id", "id", name=make.names.own(f"{name}_ids")),
        make.foreign(f"{name}_event", ("anchor_id", "position"), event),
        make.check(f"{name}_statuses", f"status IN ({_STATUSES})"),
        make.check(f"{name}_whole", "status <> 'derived' OR (entry IS NOT NULL AND vector IS NOT NULL)"),
    )


def _short_term(make: TableMaker, persona: str) -> Table:
    name = f"{persona}_stm"
    columns = [
        *uuids("anchor_id", "loop_id"),
        *texts("phase"),
        *integers("last_position"),
        *instants("last_ts"),
        *texts("kind", "visibility"),
        Column("covers", ARRAY(UUID), nullable=False),
        *texts("summary", "normalized", null=True),
        *texts("status"),
        *integers("attempts"),
        *texts("last_error", null=True),
    ]
    checks = [
        make.check(f"{name}_phases", f"phase IN ({_PHASES})"),
        make.check(f"{name}_statuses", f"status IN ({_STATUSES})"),
        make.check(f"{name}_whole", "status <> 'derived' OR summary IS NOT NULL"),
    ]
    return make.table(name, columns, ["anchor_id", "loop_id"], *checks)
