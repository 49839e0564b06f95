"""What ranking looks at, as SQL: some records and those observed near them, without their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    Double,
    FromClause,
    Integer,
    LargeBinary,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    union,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql.elements import ColumnElement

from lamina.adapters.postgres.neighbours import beside, those_asked
from lamina.adapters.postgres.selecting import in_cells, is_live, is_mine, is_selected
from lamina.adapters.postgres.tables import Tables
from lamina.domain.corroboration import Finding

NOBODY: Final = UUID(int=0)
"""The session of what was never observed."""
_NEVER: Final[ColumnElement[Any]] = literal_column("'infinity'::timestamptz")


def outlines(tables: Tables, *, labelled: bool) -> Select[Any]:
    """Each record that was asked for or stands beside one, if the selection takes it: one row, with a column of all of
    them for each thing that is looked at, packed. There are hundreds, and to read a row each takes longer than to find
    it."""
    here, near = those_asked(tables), tables["memory"].alias("near")
    around = union(select(here.c.id), select(near.c.id).join_from(here, near, beside(here, near))).subquery("around")
    memory = tables["memory"].alias("m")
    found = select(*_columns(memory)).join_from(around, memory, and_(is_mine(memory), memory.c.id == around.c.id))
    found = _confirmed(tables, found, memory)
    found = _labelled(tables, found, memory) if labelled else found.add_columns(literal(0.0).label("labels"))
    each = found.where(in_cells(memory), is_selected(memory)).subquery("each")
    columns: list[ColumnElement[Any]] = [func.string_agg(each.c.cell, ",", type_=Text)]
    columns += [_packed(send, each.c[name]) for name, send in _SENDING.items()]
    return select(*columns)


_SENDING: Final[Mapping[str, str]] = {
    "id": "uuid_send",
    "valid_at": "timestamptz_send",
    "recorded_at": "timestamptz_send",
    "disposed": "boolsend",
    "session_id": "uuid_send",
    "position": "int4send",
    "characters": "int4send",
    "labels": "float8send",
    "confirmations": "int4send",
    "confirmed_at": "timestamptz_send",
}
"""What makes bytes of each, as they go over the wire."""


def _packed(send: str, column: ColumnElement[Any]) -> ColumnElement[bytes]:
    return func.string_agg(getattr(func.pg_catalog, send)(column), literal_column("''::bytea"), type_=LargeBinary)


def _columns(memory: FromClause) -> list[ColumnElement[Any]]:
    disposed = or_(memory.c.promoted_at.is_not(None), memory.c.exempted_at.is_not(None), ~is_live(memory))
    cell = cast(memory.c.tier, Text) + literal_column("'/'") + cast(memory.c.typology, Text)
    return [
        cell.label("cell"),
        memory.c.id,
        memory.c.valid_at,
        memory.c.recorded_at,
        disposed.label("disposed"),
        func.coalesce(memory.c.origin_session_id, literal_column(f"'{NOBODY}'::uuid")).label("session_id"),
        func.coalesce(memory.c.origin_position, -1).label("position"),
        func.char_length(memory.c.body_text).label("characters"),
    ]


def _confirmed(tables: Tables, found: Select[Any], memory: FromClause) -> Select[Any]:
    if not tables.names.corroborations:
        return found.add_columns(literal(0).label("confirmations"), _NEVER.label("confirmed_at"))
    spoken = tables["corroborations"].alias("spoken")
    said = (
        select(func.count().label("times"), func.max(spoken.c.corroborated_at).label("last"))
        .where(
            is_mine(spoken),
            spoken.c.memory_id == memory.c.id,
            spoken.c.outcome == literal_column(f"'{Finding.CONFIRMED.value}'"),
        )
        .lateral("said")
    )
    return found.add_columns(
        cast(said.c.times, Integer).label("confirmations"), func.coalesce(said.c.last, _NEVER).label("confirmed_at")
    ).join(said, true())


def _labelled(tables: Tables, found: Select[Any], memory: FromClause) -> Select[Any]:
    documents = tables["documents"].alias("d")
    labels = bindparam("labels", type_=ARRAY(Text))
    asked = func.unnest(labels).table_valued("term").render_derived(name="asked")
    shared = select(func.count()).select_from(asked).where(asked.c.term == any_(documents.c.terms)).scalar_subquery()
    share = cast(shared, Double) / func.cardinality(labels)
    this = and_(is_mine(documents), documents.c.memory_id == memory.c.id)
    return found.add_columns(func.coalesce(share, 0.0).label("labels")).join(documents, this, isouter=True)
