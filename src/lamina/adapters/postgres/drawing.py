"""What the signals find, and what ranking looks at of it, as one statement: one round trip, one plan.

Everything comes as one row, each column packed: there are hundreds of records, and to read a row of each takes longer
than to find it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    CTE,
    ColumnElement,
    FromClause,
    LargeBinary,
    Select,
    Subquery,
    any_,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    true,
    union,
)
from sqlalchemy.dialects.postgresql import ARRAY, DOUBLE_PRECISION
from sqlalchemy.dialects.postgresql import UUID as PG_UUID

from lamina.adapters.postgres.best import stood
from lamina.adapters.postgres.lexical import matching, posted, tagged
from lamina.adapters.postgres.nearest import nearest
from lamina.adapters.postgres.outlines import confirmed, outlines
from lamina.adapters.postgres.selecting import is_mine
from lamina.adapters.postgres.tables import Tables
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.search import Search
from lamina.domain.signals import Signal

FOUND: Final[Mapping[str, str]] = {"id": "uuid_send", "score": "float8send"}
CONFIRMED: Final[Mapping[str, str]] = {"memory_id": "uuid_send", "times": "int4send", "last": "timestamptz_send"}
POSTED: Final[Mapping[str, str]] = {"memory_id": "uuid_send", "posting": "int8send"}
"""What makes bytes of each column, as they go over the wire."""


class Asked(NamedTuple):
    """What a search asks of the statement: a part that is not asked is not in it."""

    finding: tuple[Signal, ...]
    posted: bool
    """Whether it is told which terms the records have: the labels, or the words."""
    given: bool
    """Whether some records are wanted by their ids too."""

    @classmethod
    def by(cls, search: Search, *, near: bool) -> Asked:
        """For one search; whether its vector is compared here too, or was looked for by another statement."""
        wanted = {
            Signal.SEMANTIC: near and search.vector is not None,
            Signal.LEXICAL: bool(search.weighing and search.weighing.weights),
            Signal.TAGS: bool(search.finding),
        }
        finding = tuple(signal for signal, is_wanted in wanted.items() if is_wanted)
        given = search.newest > 0 or not near or not finding
        return cls(finding, bool(search.labels) or wanted[Signal.LEXICAL], given)


def drawing(tables: Tables, embedding: EmbeddingChoice, asked: Asked) -> Select[Any]:
    """What is found, with the outlines of it, of what else is given by its ids, and of what stands beside all that."""
    found = {signal: _found(tables, embedding, signal) for signal in asked.finding}
    here = [select(one.c.id, one.c.session_id, one.c.position) for one in found.values()]
    if asked.given:
        here.append(_given(tables))
    each = _materialized(outlines(tables, _materialized(union(*here), "here")), "each")
    ids = func.array(select(each.c.id).scalar_subquery())
    parts = [_packed(part, FOUND) for part in found.values()]
    if tables.names.corroborations:
        parts.append(_packed(confirmed(tables, ids).subquery("confirmed"), CONFIRMED))
    if asked.posted:
        parts.append(_packed(posted(tables, ids).subquery("posted"), POSTED))
    whole: FromClause = select(_together(each.c.sketch).label("sketches")).subquery()
    columns = list(whole.c)
    for part in parts:
        whole, columns = whole.join(part, true()), [*columns, *part.c]
    return select(*columns).select_from(whole)


def _found(tables: Tables, embedding: EmbeddingChoice, signal: Signal) -> CTE:
    searching = {
        Signal.SEMANTIC: lambda: nearest(tables, embedding, ()),
        Signal.LEXICAL: lambda: matching(tables),
        Signal.TAGS: lambda: tagged(tables),
    }
    return _materialized(searching[signal](), signal.value)


def _given(tables: Tables) -> Select[Any]:
    """What is given by its ids, and where it was first observed."""
    memory = tables["memory"].alias("given")
    these = memory.c.id == any_(bindparam("ids", type_=ARRAY(PG_UUID)))
    return select(memory.c.id, *stood(memory)).where(is_mine(memory), these)


def _materialized(chosen: Any, name: str) -> CTE:
    made: CTE = chosen.cte(name).prefix_with("MATERIALIZED")
    return made


def _packed(rows: FromClause, sending: Mapping[str, str]) -> Subquery:
    """All the rows as one, each column the bytes of all its values."""
    return select(*(_together(_sent(send, rows.c[name])).label(name) for name, send in sending.items())).subquery()


def _sent(send: str, column: ColumnElement[Any]) -> ColumnElement[bytes]:
    sent: ColumnElement[bytes] = getattr(func.pg_catalog, send)(
        cast(column, DOUBLE_PRECISION) if send == "float8send" else column
    )
    return sent


def _together(sent: ColumnElement[bytes]) -> ColumnElement[bytes]:
    return func.string_agg(sent, literal_column("''::bytea"), type_=LargeBinary)
