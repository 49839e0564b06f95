"""Long-term memory in DuckDB: rows in a table, and everything that a search looks at in numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.adapters.duckdb.arrays import halves
from lamina.adapters.duckdb.arrivals import Documents, as_bytes, joined
from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.entry_shelf import KINDS, VISIBILITIES, EntryShelf
from lamina.adapters.duckdb.persona_transaction import PersonaTransaction
from lamina.adapters.duckdb.statements import instants
from lamina.domain.derivation import Remainder
from lamina.domain.derived_row import ENTRY_COLUMNS, claimed_entry, entry_from, entry_row, remainders
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.event_row import event_from
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.long_term import EntryId, EventFilter, LongTermEntry
from lamina.domain.terms import document
from lamina.ports.long_term import PAGE, NewEntry

_PLAIN = ", ".join(name for name in ENTRY_COLUMNS if name != "ts")
_REPLACED = ("entry", "status", "attempts", "last_error", "length", "terms", "frequencies", "model", "vector")


class DuckDBLongTerm:
    """The entries of one persona of one anchor, in one transaction."""

    def __init__(self, transaction: PersonaTransaction, shelves: ByAnchor[EntryShelf]) -> None:
        self._transaction = transaction
        self._statements = transaction.statements
        self._anchor_id = transaction.anchor.id
        self._entries = transaction.tables.long_term
        self._events = transaction.tables.events
        self._shelves = shelves

    def claim(self, after: int) -> list[tuple[LoggedEvent, LongTermEntry | None]]:
        """The next events whose entry is not derived. Units run one after another, so nobody else is given them."""
        rows = self._statements.rows(
            f"SELECT e.* EXCLUDE (ts), {instants(['ts'], 'e.')}, l.entry, l.status, l.attempts,"
            f" l.last_error FROM {self._events} e LEFT JOIN {self._entries} l USING (anchor_id, position)"
            f" WHERE e.anchor_id = ? AND e.position > ? AND coalesce(l.status <> 'derived' OR l.model <> ?, true)"
            f" ORDER BY e.position LIMIT {PAGE}",
            [self._anchor_id, after, self._transaction.embedding.model],
        )
        persona = self._transaction.tables.persona
        return [(event_from(self._anchor_id, persona, row), claimed_entry(row)) for row in rows]

    def put(self, entries: Sequence[NewEntry]) -> None:
        """Writes entries, all or none; one that is derived already stays as it is."""
        rows = {one.entry.position: self._row(one) for one in entries}
        known = self._statements.rows(
            f"SELECT position, status = 'derived' AND model = ? AS done FROM {self._entries}"
            f" WHERE anchor_id = ? AND position IN (SELECT unnest(?::INTEGER[]))",
            [self._transaction.embedding.model, self._anchor_id, list(rows)],
        )
        there = {row["position"]: row["done"] for row in known}
        self._statements.insert(self._entries, (row for position, row in rows.items() if position not in there))
        for position, done in there.items():
            if not done:
                self._replace(rows[position])

    def get(self, ids: Iterable[EntryId]) -> dict[EntryId, LongTermEntry]:
        """Those of the entries that are there."""
        rows = self._statements.rows(
            f"SELECT {_PLAIN}, {instants(['ts'])} FROM {self._entries}"
            f" WHERE anchor_id = ? AND id IN (SELECT unnest(?::UUID[]))",
            [self._anchor_id, list(ids)],
        )
        return {row["id"]: entry_from(row) for row in rows}

    def nearest(self, vector: bytes, chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries of the most similar vectors of the store's model, with their cosine."""
        embedding = self._transaction.embedding
        embedding.check("query", embedding.model, vector)
        return self._shelf().nearest(vector, chosen, limit)

    def matching(self, lexemes: Sequence[str], chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries that have lexemes of the query, with `bm25`'s score."""
        return self._shelf().matching(lexemes, chosen, limit) if lexemes else {}

    def remaining(self) -> list[Remainder]:
        """What is not derived yet, by status: events without an entry count as not tried."""
        return remainders(
            self._statements.rows(
                f"SELECT status, count(*) AS count, max(attempts) AS attempts,"
                f" arg_max(last_error, (attempts, position)) AS last_error"
                f" FROM {self._entries} WHERE anchor_id = ? AND status <> 'derived' GROUP BY status"
                f" UNION ALL SELECT 'pending_embedding', count(*), 0, NULL FROM {self._entries}"
                f" WHERE anchor_id = ? AND status = 'derived' AND model <> ?"
                f" UNION ALL SELECT 'pending_compaction', (SELECT count(*) FROM {self._events} WHERE anchor_id = ?)"
                f" - (SELECT count(*) FROM {self._entries} WHERE anchor_id = ?), 0, NULL",
                [self._anchor_id, self._anchor_id, self._transaction.embedding.model, *[self._anchor_id] * 2],
            )
        )

    def _row(self, new: NewEntry) -> dict[str, Any]:
        embedding, terms = self._transaction.embedding, document(new.lexemes, {})
        if new.vector is not None:
            embedding.fits(f"vector of entry {new.entry.id}", embedding.model, len(new.vector) // 4)
        return {
            "anchor_id": self._anchor_id,
            "collection": self._transaction.collection,
            **entry_row(new.entry),
            "length": terms.length,
            "terms": joined(terms.terms),
            "frequencies": as_bytes(terms.terms.values()),
            "model": None if new.vector is None else embedding.model,
            "vector": new.vector,
        }

    def _replace(self, row: Mapping[str, Any]) -> None:
        assigned = ", ".join(f"{name} = ?" for name in _REPLACED)
        self._statements.run(
            f"UPDATE {self._entries} SET {assigned} WHERE anchor_id = ? AND position = ?",
            [*(row[name] for name in _REPLACED), self._anchor_id, row["position"]],
        )

    def _shelf(self) -> EntryShelf:
        shelf = self._shelves.get(self._anchor_id, self._new_shelf)
        if not self._is_true(shelf):
            self._shelves.forget(self._anchor_id)
            shelf = self._shelves.get(self._anchor_id, self._new_shelf)
        self._load(shelf)
        return shelf

    def _new_shelf(self) -> EntryShelf:
        return EntryShelf(self._transaction.embedding.dimension)

    def _is_true(self, shelf: EntryShelf) -> bool:
        """Whether what is loaded is still all there is up to there: an entry is written over until it is derived."""
        (counted,) = self._statements.rows(
            f"SELECT count(*) AS entries, count(*) FILTER (vector IS NOT NULL AND model = ?) AS derived"
            f" FROM {self._entries} WHERE anchor_id = ? AND entry IS NOT NULL AND position <= ?",
            [self._transaction.embedding.model, self._anchor_id, shelf.last_position],
        )
        return (counted["entries"], counted["derived"]) == (len(shelf), shelf.derived)

    def _load(self, shelf: EntryShelf) -> None:
        rows = self._statements.rows(
            f"SELECT id, loop_id, kind, visibility, epoch_us(ts) AS us, length, terms, frequencies,"
            f" CASE WHEN model = ? THEN vector END AS vector, position"
            f" FROM {self._entries} WHERE anchor_id = ? AND entry IS NOT NULL AND position > ? ORDER BY position",
            [self._transaction.embedding.model, self._anchor_id, shelf.last_position],
        )
        if not rows:
            return
        high, low = halves(row["id"] for row in rows)
        loop_high, loop_low = halves(row["loop_id"] for row in rows)
        columns = {
            "high": high,
            "low": low,
            "loop_high": loop_high,
            "loop_low": loop_low,
            "kind": np.array([KINDS[EventKind(row["kind"])] for row in rows], dtype=np.int8),
            "visibility": np.array([VISIBILITIES[EventVisibility(row["visibility"])] for row in rows], dtype=np.int8),
            "ts": np.array([row["us"] for row in rows]),
        }
        documents = Documents(
            [row["terms"] for row in rows], [row["frequencies"] for row in rows], [row["length"] for row in rows]
        )
        shelf.append(columns, [row["vector"] for row in rows], documents)
        shelf.last_position = rows[-1]["position"]


if TYPE_CHECKING:
    from lamina.ports.long_term import LongTerm

    _: type[LongTerm] = DuckDBLongTerm
