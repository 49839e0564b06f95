"""Who stood beside whom, as SQL."""

from __future__ import annotations

from sqlalchemy import BigInteger, FromClause, Integer, and_, any_, bindparam, cast, select
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.selecting import Condition, is_mine
from lamina.adapters.postgres.tables import Tables


def beside(here: FromClause, near: FromClause) -> Condition:
    """Whether a record was first observed near one that was asked for, and is another."""
    return and_(
        is_mine(near),
        near.c.origin_session_id == here.c.session_id,
        near.c.origin_position >= here.c.first,
        near.c.origin_position <= here.c.last,
        near.c.id != here.c.id,
    )


def those_asked(tables: Tables) -> FromClause:
    """The records that are asked for, each with the positions that lie within reach of it."""
    # Materialized, with the ends of the range worked out: arithmetic is not leakproof, and under row security an index
    # is not searched by a condition that does any.
    memory = tables["memory"].alias()
    position, reach = cast(memory.c.origin_position, BigInteger), bindparam("reach", type_=Integer)
    return (
        select(
            memory.c.id,
            memory.c.origin_session_id.label("session_id"),
            (position - reach).label("first"),
            (position + reach).label("last"),
        )
        .where(is_mine(memory), memory.c.id == any_(bindparam("ids", type_=ARRAY(UUID))))
        .cte("here")
        .prefix_with("MATERIALIZED")
    )
