"""A selection as SQL: it removes rows. One text for every selection, so that it is built once."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Boolean, ColumnElement, FromClause, and_, any_, bindparam, case, func, or_
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP, UUID

from lamina.domain.record_row import NOT_LIVE
from lamina.domain.selection import Selection
from lamina.domain.typology import Cell

Condition = ColumnElement[bool]
_KNOWN_AT: Final = bindparam("known_at", type_=TIMESTAMP(timezone=True))
_SESSION: Final = bindparam("only_session", type_=UUID)
_VALID_AT: Final = bindparam("valid_at_then", type_=TIMESTAMP(timezone=True))


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
        or_(_SESSION.is_(None), memory.c.origin_session_id == _SESSION),
        or_(
            and_(_KNOWN_AT.is_(None), is_live(memory)),
            and_(_KNOWN_AT.is_(None), retired, _is_searchable(memory)),
            and_(_KNOWN_AT.is_not(None), _is_searchable(memory), _stood(memory)),
        ),
    )


def _is_searchable(memory: FromClause) -> Condition:
    return and_(memory.c.held_at.is_(None), memory.c.tombstoned_at.is_(None))


def _stood(memory: FromClause) -> Condition:
    """Whether we held it to be so then: `AsOf.takes` as SQL."""
    end = case(
        (memory.c.superseded_at <= _KNOWN_AT, func.least(memory.c.superseded_at, memory.c.invalid_at)),
        (memory.c.invalidated_at > _KNOWN_AT, memory.c.former_invalid_at),
        else_=memory.c.invalid_at,
    )
    return and_(
        func.coalesce(memory.c.granted_at, memory.c.recorded_at) <= _KNOWN_AT,
        or_(memory.c.archived_at.is_(None), memory.c.archived_at > _KNOWN_AT),
        memory.c.valid_at <= _VALID_AT,
        or_(end.is_(None), end > _VALID_AT),
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
        "only_session": selection.session_id,
        "include_retired": selection.include_retired,
        "known_at": selection.as_of.known_at if selection.as_of else None,
        "valid_at_then": selection.as_of.valid_at if selection.as_of else None,
    }
