"""What ranking looks at, as SQL: some records and those observed near them, without their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    CTE,
    BigInteger,
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
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.sql.elements import ColumnElement

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
    here = _those_asked(tables)
    found = union_all(_standing(tables, _spots(here)), _alone(tables, here)).subquery("found")
    each = _confirmed(tables, select(found), found)
    each = _labelled(tables, each, found) if labelled else each.add_columns(literal(0.0).label("labels"))
    outlined = each.subquery("each")
    columns: list[ColumnElement[Any]] = [func.string_agg(outlined.c.cell, ",", type_=Text)]
    columns += [_packed(send, outlined.c[name]) for name, send in _SENDING.items()]
    return select(*columns)


def _those_asked(tables: Tables) -> CTE:
    """The records that are asked for, and where they were first observed."""
    memory = tables["memory"].alias()
    asked = select(
        memory.c.id,
        memory.c.origin_session_id.label("session_id"),
        cast(memory.c.origin_position, BigInteger).label("position"),
    )
    these = memory.c.id == any_(bindparam("ids", type_=ARRAY(PG_UUID)))
    return asked.where(is_mine(memory), these).cte("here").prefix_with("MATERIALIZED")


def _spots(here: CTE) -> CTE:
    # Materialized, each once: only equality is leakproof, so that under row security the index is searched by it.
    away = func.unnest(bindparam("away", type_=ARRAY(Integer))).table_valued("positions").render_derived(name="away")
    each = select(here.c.session_id, (here.c.position + away.c.positions).label("position"))
    stood = each.select_from(here.join(away, true())).where(here.c.session_id.is_not(None))
    return stood.distinct().cte("spots").prefix_with("MATERIALIZED")


def _standing(tables: Tables, spots: CTE) -> Select[Any]:
    """What was first observed at these spots; what is asked for stands at one of them itself."""
    memory = tables["memory"].alias("m")
    there = and_(
        is_mine(memory),
        memory.c.origin_session_id == spots.c.session_id,
        memory.c.origin_position == spots.c.position,
    )
    return select(*_columns(memory)).join_from(spots, memory, there).where(in_cells(memory), is_selected(memory))


def _alone(tables: Tables, here: CTE) -> Select[Any]:
    """What is asked for, and was not observed anywhere."""
    memory = tables["memory"].alias("alone")
    this = and_(is_mine(memory), memory.c.id == here.c.id)
    found = select(*_columns(memory)).join_from(here, memory, this)
    return found.where(here.c.session_id.is_(None), in_cells(memory), is_selected(memory))


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
