"""What ranking looks at, as SQL: some records and those observed near them, without their words."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    and_,
    any_,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    true,
    union_all,
)

from lamina.adapters.postgres.selecting import in_cells, is_mine, is_selected
from lamina.adapters.postgres.tables import Tables
from lamina.domain.corroboration import Finding

_REACH: Final = bindparam("reach", type_=Integer)


def outlines(tables: Tables, here: CTE) -> Select[Any]:
    """A row for each of these records, and for each that stands beside one, if the selection takes it."""
    return select(union_all(_standing(tables, _sessions(here)), _alone(tables, here)).subquery("found"))


def confirmed(tables: Tables, ids: ColumnElement[Any]) -> Select[Any]:
    """Those of some records that were confirmed, how often and when last."""
    spoken = tables["corroborations"].alias("spoken")
    said = select(
        spoken.c.memory_id,
        cast(func.count(), Integer).label("times"),
        func.max(spoken.c.corroborated_at).label("last"),
    )
    finding = spoken.c.outcome == literal_column(f"'{Finding.CONFIRMED.value}'")
    return said.where(is_mine(spoken), spoken.c.memory_id == any_(ids), finding).group_by(spoken.c.memory_id)


def _sessions(here: CTE) -> CTE:
    """Where to look: in each session, at all the positions that are near enough."""
    away = func.generate_series(-_REACH, _REACH).column_valued("away")
    # Wider than the column, which could not take in what stands beside its last number.
    near = func.array_agg(cast(here.c.position, BigInteger) + away).label("positions")
    stood = select(here.c.session_id, near).where(here.c.session_id.is_not(None))
    # Materialized, each once: only equality is leakproof, so that under row security the index is searched by it.
    return stood.group_by(here.c.session_id).cte("sessions").prefix_with("MATERIALIZED")


def _standing(tables: Tables, sessions: CTE) -> Select[Any]:
    """What was first observed there; what is asked for stands there itself."""
    memory = tables["memory"].alias("m")
    there = (
        memory.c.origin_session_id == sessions.c.session_id,
        memory.c.origin_position == any_(sessions.c.positions),
    )
    return _taken(memory, *there, among=sessions)


def _alone(tables: Tables, here: CTE) -> Select[Any]:
    """What is asked for, and was not observed anywhere."""
    memory = tables["memory"].alias("alone")
    return _taken(memory, memory.c.id == here.c.id, here.c.session_id.is_(None), among=here)


def _taken(memory: FromClause, *conditions: ColumnElement[bool], among: FromClause) -> Select[Any]:
    """What the selection takes of the records that fit one row of some others. Looked up for each of them, and not
    joined: a plan that serves any number of them would read all of an anchor."""
    chosen = select(memory.c.id, memory.c.sketch)
    chosen = chosen.where(is_mine(memory), and_(*conditions), in_cells(memory), is_selected(memory))
    there = chosen.offset(0).lateral()
    return select(there).select_from(among.join(there, true()))
