"""What a selection takes of what was found, as SQL: records are looked up by score until enough are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import ColumnElement, FromClause, Integer, bindparam, select

from lamina.adapters.postgres.selecting import Condition, is_mine
from lamina.adapters.postgres.tables import Tables

LIMIT: Final = bindparam("limit", type_=Integer)


def looked_up(tables: Tables, memory_id: ColumnElement[Any], takes: Callable[[FromClause], Condition]) -> FromClause:
    """The record, if it is taken. Lateral and limited: joined in an order, what is behind the limit is never read."""
    memory = tables["memory"].alias()
    this = (is_mine(memory), memory.c.id == memory_id)
    return select(memory.c.valid_at).where(*this, takes(memory)).limit(1).lateral("kept")
