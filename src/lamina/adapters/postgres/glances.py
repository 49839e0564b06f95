"""Recall at a glance: one statement reads all that a small anchor has, in one round trip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from psycopg import Connection, RawCursor
from psycopg.rows import DictRow, RowFactory, dict_row, tuple_row
from psycopg.sql import SQL, Composable, Identifier, Literal

from lamina.adapters.postgres.arrays import PackedTexts, PackedUuids
from lamina.adapters.postgres.laid import Laid, LaidLately
from lamina.adapters.postgres.pool import Borrowing
from lamina.adapters.postgres.posted import FREQUENCY, TERM, Posted
from lamina.adapters.postgres.remembered import Remembered
from lamina.adapters.postgres.sketches import SINCE_2000, numbers
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Binding, R, Values, numbered, teach
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import Counts, Having
from lamina.domain.corroboration import Finding
from lamina.domain.fusion import Said
from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.outline import Column, Outlines
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import NOT_LIVE, from_row
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.domain.sheet import Sheet, Wanted

MOST_RECORDS: Final = 1_000
"""Of an anchor with more, a draw brings what is found and leaves the rest."""
MOST_KEPT, MOST_POSTINGS = 2_000, 4_000
"""What is not live has its vector and its document still; and a record may have several of the terms."""
MOST_TERMS: Final = 256
"""A text is not asked for at a glance: each row is compared with all of its words."""
PATIENCE: Final = 600.0
"""Seconds until an anchor that was too large is looked at again: it may have been its sessions."""
MOST_ANCHORS: Final = 10_000
MOST_MISSES: Final = 16
"""Looks for a few records each, which take about as long as one for all the records of a small anchor."""
NONE: Final[Column] = np.empty(0)

_TAKEN: Final = SQL("""(
    SELECT string_agg(one.sketch, ''::bytea) AS sketches
    FROM (SELECT sketch FROM {memory} WHERE anchor_id = %(anchor_id)s AND {live} LIMIT {most}) AS one
) AS taken""")
_NEAR: Final = SQL("""(
    SELECT
        string_agg(pg_catalog.uuid_send(one.memory_id), ''::bytea) AS near_ids,
        string_agg(pg_catalog.float8send(one.vector OPERATOR({vectors}.<=>) %(query)s), ''::bytea) AS distances
    FROM (
        SELECT memory_id, vector FROM {embeddings}
        WHERE anchor_id = %(anchor_id)s AND model = %(model)s LIMIT {most_kept}
    ) AS one
) AS near""")
# What maintenance has spread is found by its key, what is fresh is looked through.
_HAVING: Final = SQL("""(
    SELECT
        string_agg(pg_catalog.uuid_send(one.memory_id), ''::bytea) AS posted_ids,
        string_agg(pg_catalog.int8send(
            (array_position(%(terms)s::text[], one.term)::bigint << {term}) | (one.tf::bigint << {frequency})
            | one.length
        ), ''::bytea) AS postings
    FROM (
        SELECT memory_id, term, tf, length FROM {postings}
        WHERE anchor_id = %(anchor_id)s AND term = ANY (%(terms)s::text[])
        UNION ALL
        SELECT fresh.memory_id, listed.term, listed.tf, fresh.length
        FROM {documents} AS fresh CROSS JOIN LATERAL unnest(fresh.terms, fresh.frequencies) AS listed (term, tf)
        WHERE fresh.anchor_id = %(anchor_id)s AND NOT fresh.spread AND listed.term = ANY (%(terms)s::text[])
        LIMIT {most_postings}
    ) AS one
) AS posted""")
_WHOLE: Final = SQL("""(
    SELECT count(*) AS documents, coalesce(sum(one.length), 0)::bigint AS total_length
    FROM (
        SELECT length FROM {documents} WHERE anchor_id = %(anchor_id)s AND length > 0 LIMIT {most_kept}
    ) AS one
) AS whole""")
_CONFIRMED: Final = SQL("""(
    SELECT
        string_agg(pg_catalog.uuid_send(said.memory_id), ''::bytea) AS confirmed_ids,
        string_agg(pg_catalog.int4send(said.times), ''::bytea) AS times,
        string_agg(pg_catalog.timestamptz_send(said.last), ''::bytea) AS last
    FROM (
        SELECT memory_id, count(*)::integer AS times, max(corroborated_at) AS last FROM {corroborations}
        WHERE anchor_id = %(anchor_id)s AND outcome = {confirming} GROUP BY memory_id
    ) AS said
) AS confirmed""")


class PostgresGlances:
    """Looks at anchors, each for itself, outside any unit of work."""

    def __init__(
        self, borrowing: Borrowing, tables: Tables, embedding: EmbeddingChoice, vector_oid: int, get: Statement
    ) -> None:
        """`get` is the statement that reads records by their ids."""
        self._borrowing = borrowing
        self._embedding = embedding
        self._vector_oid = vector_oid
        self._get = get
        self._confirmed = tables.names.corroborations
        self._statements = {near: _statement(tables, near=near) for near in (False, True)}
        self._remembered = Remembered()
        self._laid = LaidLately()
        self._misses: dict[AnchorId, int] = {}
        self._large: dict[AnchorId, float] = {}
        self._offered = True
        """Until it is seen that the pool's connections cannot be asked so."""

    def are_worth_it(self, anchor: Anchor, terms: int) -> bool:
        """Whether to try: not where an anchor was too large when it was last looked at, nor for a text."""
        return terms <= MOST_TERMS and self._offered and self._large.get(anchor.id, 0.0) <= monotonic()

    def sheet(self, anchor: Anchor, selection: Selection, wanted: Wanted) -> Sheet | None:
        """All live memory of its cells, in one round trip; nothing, if it is too much, or cannot be had so."""
        values: dict[str, Any] = {"model": wanted.model, "terms": PackedTexts.of(wanted.terms)}
        if wanted.vector is not None:
            self._embedding.check("query", wanted.model, wanted.vector)
            values["query"] = PackedVector(wanted.vector)
        rows = self._look(anchor, self._statements[wanted.vector is not None], values, tuple_row)
        if rows is None:
            self._offered = False
            return None
        lay = partial(self._laid.out, anchor.id, selection.cells)
        sheet = _Reading(rows[0], wanted).sheet(lay, confirmed=self._confirmed)
        if sheet is None:
            if len(self._large) >= MOST_ANCHORS:
                self._large.clear()
            self._large[anchor.id] = monotonic() + PATIENCE
        return sheet

    def records(self, anchor: Anchor, versions: Mapping[MemoryId, int]) -> dict[MemoryId, MemoryRecord]:
        """Those of the records that are there, and still of this version."""
        found = {id_: self._remembered.get(anchor.id, id_, version) for id_, version in versions.items()}
        there = {id_: record for id_, record in found.items() if record}
        missing = [id_ for id_, record in found.items() if record is None]
        if missing:
            wanted = self._wanted(anchor.id, missing)
            rows = self._look(anchor, self._get, {"ids": PackedUuids.of(wanted)}, dict_row) or []
            read = [from_row(_in_utc(row), anchor) for row in rows]
            self._remembered.keep(read)
            there |= {record.id: record for record in read if record.version == versions.get(record.id)}
        return there

    def _wanted(self, anchor: AnchorId, missing: Sequence[MemoryId]) -> Sequence[MemoryId]:
        """What is missing; or all of an anchor, once to read so of it has taken about as long as that."""
        misses = self._misses.pop(anchor, 0) + 1
        if len(self._misses) >= MOST_ANCHORS:
            self._misses.clear()
        self._misses[anchor] = misses % MOST_MISSES
        if misses < MOST_MISSES:
            return missing
        return list(dict.fromkeys([*missing, *self._laid.ids(anchor)]))

    def _look(self, anchor: Anchor, statement: Statement, values: Values, rows: RowFactory[R]) -> list[R] | None:
        given = {**statement.fixed, "anchor_id": anchor.id, **values}

        def run(connection: Connection[Any], prepares: bool) -> RawCursor[R]:  # noqa: FBT001 (as it is called)
            teach(connection, self._vector_oid)
            return numbered(connection, statement, given, rows, prepares=prepares)

        return self._borrowing.look(Binding.to_look(anchor), run)


def _in_utc(row: DictRow) -> DictRow:
    """The driver tells times as the session does, which is bound to UTC only while it is asked."""
    return {name: value.astimezone(UTC) if isinstance(value, datetime) else value for name, value in row.items()}


def _statement(tables: Tables, *, near: bool) -> Statement:
    names = tables.names
    parts = [_TAKEN, *([_NEAR] if near else []), _HAVING, _WHOLE, *([_CONFIRMED] if names.corroborations else [])]
    named: dict[str, Composable] = {
        **{name: Identifier(names.schema, names.own(name)) for name in names.tables},
        "live": SQL(" AND ").join(SQL("{} IS NULL").format(Identifier(name)) for name in NOT_LIVE),
        "vectors": Identifier(tables.vector_schema),
        # One more than is wanted, so that it is seen where there are too many.
        "most": Literal(MOST_RECORDS + 1),
        "most_kept": Literal(MOST_KEPT + 1),
        "most_postings": Literal(MOST_POSTINGS + 1),
        "confirming": Literal(Finding.CONFIRMED.value),
        "term": Literal(TERM),
        "frequency": Literal(FREQUENCY),
    }
    whole = SQL("SELECT * FROM {}").format(SQL(" CROSS JOIN ").join(part.format(**named) for part in parts))
    return Statement.written(whole, lasting=True)


class _Reading:
    """The one row, taken apart column by column. What nothing was put together of is NULL."""

    def __init__(self, row: Sequence[Any], wanted: Wanted) -> None:
        self._columns = iter(row)
        self._wanted = wanted

    def sheet(self, lay: Callable[[bytes], Laid], *, confirmed: bool) -> Sheet | None:
        """The sheet, if all that was asked for is on it."""
        laid = lay(self._bytes())
        near_ids, distances = (self._bytes(), numbers(self._bytes(), "f8")) if self._wanted.vector else (b"", NONE)
        having_ids, posted = self._bytes(), Posted(numbers(self._bytes(), "i8"))
        documents, total_length = next(self._columns), next(self._columns)
        kept = max(len(distances), documents)
        if laid.count > MOST_RECORDS or kept > MOST_KEPT or len(posted.packed) > MOST_POSTINGS:
            return None
        counts = Counts(documents, total_length, self._containing(posted))
        near = Said(*_on_sheet(laid.same(near_ids), 1 - distances))
        whom, packed = _on_sheet(laid.places.of(having_ids), posted.packed)
        posted = Posted(packed)
        lengths: Column = np.zeros(len(laid.outlines), dtype=np.int64)
        lengths[whom] = posted.lengths
        outlines = self._confirmed(laid) if confirmed else laid.outlines
        return Sheet(outlines, laid.versions, near, self._having(whom, posted), lengths, counts)

    def _bytes(self) -> bytes:
        return next(self._columns) or b""

    def _containing(self, posted: Posted) -> dict[str, int]:
        counted = posted.counted(len(self._wanted.terms))[1:].tolist()
        return {term: count for term, count in zip(self._wanted.terms, counted, strict=True) if count}

    def _having(self, whom: Column, posted: Posted) -> dict[str, Having]:
        """For each term, those that have it."""
        order = np.argsort(posted.terms, kind="stable")
        whom, frequencies = whom[order], posted.only(order).frequencies
        ends = posted.counted(len(self._wanted.terms)).cumsum().tolist()
        each = zip(self._wanted.terms, ends, ends[1:], strict=False)
        return {term: (whom[start:end], frequencies[start:end]) for term, start, end in each}

    def _confirmed(self, laid: Laid) -> Outlines:
        """The outlines, with how often each was confirmed, and when last."""
        whom, times, last = laid.places.of(self._bytes()), numbers(self._bytes(), "i4"), numbers(self._bytes(), "i8")
        if not len(whom):
            return laid.outlines
        outlines = Outlines(laid.outlines.numbers.copy(), laid.outlines.labels)
        there = whom >= 0
        outlines.confirmations[whom[there]] = times[there]
        outlines.confirmed_at[whom[there]] = last[there] + SINCE_2000
        return outlines


def _on_sheet(whom: Column, values: Column) -> tuple[Column, Column]:
    """The places, and the values, of those of the records that are there."""
    there = whom >= 0
    return (whom, values) if there.all() else (whom[there], values[there])


if TYPE_CHECKING:
    from lamina.ports.glances import Glances

    _: type[Glances] = PostgresGlances
