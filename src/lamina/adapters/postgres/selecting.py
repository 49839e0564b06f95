"""A selection as SQL: it removes rows. One text for every selection, so that it is built once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Boolean, ColumnElement, FromClause, and_, any_, bindparam, or_
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP

from lamina.domain.record_row import NOT_LIVE
from lamina.domain.selection import Selection
from lamina.domain.typology import Cell

Condition = ColumnElement[bool]


def is_mine(table: FromClause) -> Condition:
    """Whether it is of the transaction's anchor."""
    return table.c.anchor_id == bindparam("anchor_id")


def is_live(memory: FromClause) -> Condition:
    """Whether recall surfaces it."""
    return and_(*(memory.c[name].is_(None) for name in NOT_LIVE))


def in_cells(table: FromClause) -> Condition:
    """Whether it is of the tiers and typologies that were asked for."""
    tiers = bindparam("tiers", type_=ARRAY(table.c.tier.type))
    typologies = bindparam("typologies", type_=ARRAY(table.c.typology.type))
    return and_(table.c.tier == any_(tiers), table.c.typology == any_(typologies))


def is_selected(memory: FromClause) -> Condition:
    """Whether a selection takes it, but for its cell; candidates and erased records are never taken."""
    since, until = (bindparam(name, type_=TIMESTAMP(timezone=True)) for name in ("since", "until"))
    retired = bindparam("include_retired", type_=Boolean)
    return and_(
        or_(since.is_(None), memory.c.valid_at >= since),
        or_(until.is_(None), memory.c.valid_at < until),
        or_(is_live(memory), and_(retired, memory.c.held_at.is_(None), memory.c.tombstoned_at.is_(None))),
    )


def cells_of(selection: Selection) -> frozenset[Cell]:
    """The cells that a selection looks at."""
    return frozenset(Cell(tier, typology) for tier in selection.tiers for typology in selection.typologies)


def values_of(selection: Selection) -> dict[str, Any]:
    """What the parameters are for one selection."""
    return {
        "tiers": sorted(selection.tiers),
        "typologies": sorted(selection.typologies),
        "since": selection.since,
        "until": selection.until,
        "include_retired": selection.include_retired,
    }
