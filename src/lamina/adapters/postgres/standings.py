"""What points at a record, as SQL: one statement, each pointer served by an index of its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    Text,
    bindparam,
    cast,
    exists,
    false,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.selecting import Condition
from lamina.adapters.postgres.tables import Tables
from lamina.domain.corroboration import SourceType
from lamina.domain.scope_cleanup import Pointer


def standings(tables: Tables) -> Select[Any]:
    """Records of the anchor, each with what points at it."""
    memory = tables["memory"]
    pointers = {
        Pointer.ACTION: _pointed(tables["action_links"], memory, "memory_id"),
        Pointer.CORROBORATION: false(),
        Pointer.EVIDENCE: false(),
        Pointer.CONTRADICTION: false(),
    }
    if tables.names.corroborations:
        spoken = tables["corroborations"]
        observed = spoken.c.source_type == literal_column(f"'{SourceType.OBSERVATION_EVENT.value}'")
        pointers[Pointer.CORROBORATION] = _pointed(spoken, memory, "memory_id")
        pointers[Pointer.EVIDENCE] = _pointed(spoken, memory, "source_ref", observed)
    if tables.names.contradictions:
        sides = [_pointed(tables["rule_contradictions"], memory, side) for side in ("memory_id", "other_memory_id")]
        pointers[Pointer.CONTRADICTION] = or_(*sides)
    told = [condition.label(pointer.name.lower()) for pointer, condition in pointers.items()]
    return select(
        memory.c.id, cast(memory.c.tier, Text).label("tier"), *told, _followed_from(memory).label("followed_from")
    ).where(memory.c.anchor_id == bindparam("anchor_id"))


def is_in_scope(memory: Table) -> Condition:
    """Whether a record is of a session, or of one interaction of it. No persistent record is of either."""
    interaction = bindparam("interaction_id", type_=UUID)
    return (memory.c.session_id == bindparam("session_id")) & or_(
        interaction.is_(None), memory.c.interaction_id == interaction
    )


def _pointed(table: Table, memory: Table, column: str, *more: Condition) -> ColumnElement[bool]:
    this = (table.c.anchor_id == memory.c.anchor_id, table.c[column] == memory.c.id)
    return exists().select_from(table).where(*this, *more)


def _followed_from(memory: Table) -> ColumnElement[Any]:
    return func.array_cat(_led_by(memory, "superseded_by"), _led_by(memory, "promoted_into"), type_=ARRAY(UUID))


def _led_by(memory: Table, column: str) -> ColumnElement[Any]:
    first = memory.alias()
    led = (first.c.anchor_id == memory.c.anchor_id, first.c[column] == memory.c.id)
    return func.array(select(first.c.id).where(*led).correlate(memory).scalar_subquery())
