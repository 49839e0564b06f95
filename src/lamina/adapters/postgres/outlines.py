"""What ranking looks at, as SQL: some records and those observed near them, without their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Double,
    FromClause,
    Integer,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    cast,
    extract,
    func,
    literal,
    literal_column,
    null,
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
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.outline import NOWHERE, Outline, Outlines, spot
from lamina.domain.search import Drawn
from lamina.domain.signals import Signal
from lamina.domain.typology import CELLS

Found = dict[Signal, Mapping[MemoryId, float]]
"""What each signal found, with its scores."""


def outlines(tables: Tables, *, labelled: bool) -> Select[Any]:
    """A row for each record that was asked for or stands beside one, if the selection takes it."""
    here, near = those_asked(tables), tables["memory"].alias("near")
    around = union(select(here.c.id), select(near.c.id).join_from(here, near, beside(here, near))).subquery("around")
    memory = tables["memory"].alias("m")
    found = select(*_columns(memory)).join_from(around, memory, and_(is_mine(memory), memory.c.id == around.c.id))
    found = _confirmed(tables, found, memory)
    found = _labelled(tables, found, memory) if labelled else found.add_columns(literal(0.0).label("labels"))
    return found.where(in_cells(memory), is_selected(memory))


def drawn(rows: Sequence[tuple[Any, ...]], found: Found) -> Drawn:
    """What the rows are, with what the signals said of them."""
    ids, tiers, typologies, valid_at, recorded_at, disposed, sessions, positions, *others = _turned(rows)
    characters, confirmations, confirmed_at, labels = others
    places = {id_: place for place, id_ in enumerate(ids)}
    return Drawn(
        Outlines(
            ids=ids,
            cells=[_CELLS[cell] for cell in zip(tiers, typologies, strict=True)],
            valid_at=valid_at,
            recorded_at=recorded_at,
            disposed=disposed,
            spots=_spots(sessions, positions),
            characters=characters,
            labels=labels,
            confirmations=confirmations,
            confirmed_at=confirmed_at,
        ),
        {signal: Said([places[id_] for id_ in some], list(some.values())) for signal, some in found.items()},
    )


def _turned(rows: Sequence[tuple[Any, ...]]) -> list[Sequence[Any]]:
    return list(zip(*rows, strict=True)) or [()] * _WIDTH


def _spots(sessions: Sequence[UUID | None], positions: Sequence[int]) -> list[int]:
    numbers = {session: number for number, session in enumerate(set(sessions), 1)}
    stood = zip(sessions, positions, strict=True)
    return [spot(numbers[session], position) if session else NOWHERE for session, position in stood]


_CELLS = {(cell.tier.value, cell.typology.value): place for place, cell in enumerate(CELLS)}
_WIDTH = len(Outline._fields) + 2


def _columns(memory: FromClause) -> list[ColumnElement[Any]]:
    disposed = or_(memory.c.promoted_at.is_not(None), memory.c.exempted_at.is_not(None), ~is_live(memory))
    return [
        memory.c.id,
        cast(memory.c.tier, Text).label("tier"),
        cast(memory.c.typology, Text).label("typology"),
        _microseconds(memory.c.valid_at).label("valid_us"),
        _microseconds(memory.c.recorded_at).label("recorded_us"),
        disposed.label("disposed"),
        memory.c.origin_session_id.label("session_id"),
        func.coalesce(memory.c.origin_position, -1).label("position"),
        func.char_length(memory.c.body_text).label("characters"),
    ]


def _microseconds(instant: ColumnElement[Any]) -> ColumnElement[Any]:
    # The epoch of a timestamp is a numeric, so that nothing is rounded.
    return cast(extract("epoch", instant) * 1_000_000, BigInteger)


def _confirmed(tables: Tables, found: Select[Any], memory: FromClause) -> Select[Any]:
    if not tables.names.corroborations:
        return found.add_columns(literal(0).label("confirmations"), cast(null(), BigInteger).label("confirmed_us"))
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
        cast(said.c.times, Integer).label("confirmations"), _microseconds(said.c.last).label("confirmed_us")
    ).join(said, true())


def _labelled(tables: Tables, found: Select[Any], memory: FromClause) -> Select[Any]:
    documents = tables["documents"].alias("d")
    labels = bindparam("labels", type_=ARRAY(Text))
    asked = func.unnest(labels).table_valued("term").render_derived(name="asked")
    shared = select(func.count()).select_from(asked).where(asked.c.term == any_(documents.c.terms)).scalar_subquery()
    share = cast(shared, Double) / func.cardinality(labels)
    this = and_(is_mine(documents), documents.c.memory_id == memory.c.id)
    return found.add_columns(func.coalesce(share, 0.0).label("labels")).join(documents, this, isouter=True)
