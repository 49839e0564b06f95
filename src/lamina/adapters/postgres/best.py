"""What a selection takes of what was found, as SQL: records are looked up by score until enough are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import ColumnElement, FromClause, Integer, bindparam, select

from lamina.adapters.postgres.selecting import Condition, is_mine
from lamina.adapters.postgres.tables import Tables

LIMIT: Final = bindparam("limit", type_=Integer)


def looked_up(tables: Tables, memory_id: ColumnElement[Any], takes: Callable[[FromClause], Condition]) -> FromClause:
    """The record, if it is taken: since when it is so, and where it was first observed. Lateral and limited: joined in
    an order, what is behind the limit is never read."""
    memory = tables["memory"].alias()
    this = (is_mine(memory), memory.c.id == memory_id)
    return select(memory.c.valid_at, *stood(memory)).where(*this, takes(memory)).limit(1).lateral("kept")


def stood(memory: FromClause) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Where a record was first observed: the session, and the position in it."""
    return memory.c.origin_session_id.label("session_id"), memory.c.origin_position.label("position")
