"""Long-term memory in Postgres: a page of the log is claimed by a lock that ends with its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lamina.adapters.postgres.arrays import PackedIntegers, PackedTexts
from lamina.adapters.postgres.long_term_statements import LongTermStatements
from lamina.adapters.postgres.row_writer import write
from lamina.adapters.postgres.transaction import Transaction
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.derivation import Remainder
from lamina.domain.derived_row import claimed_entry, entry_from, entry_row, remainders
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.event_row import event_from
from lamina.domain.events import Persona
from lamina.domain.long_term import EntryId, EventFilter, LongTermEntry
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.terms import document
from lamina.ports.long_term import PAGE, NewEntry

Claimed = list[tuple[LoggedEvent, LongTermEntry | None]]


class PostgresLongTerm:
    """The entries of one persona of one anchor, in one transaction."""

    def __init__(
        self,
        transaction: Transaction,
        statements: LongTermStatements,
        persona: Persona,
        collection: str,
        embedding: EmbeddingChoice,
    ) -> None:
        self._transaction = transaction
        self._asked = statements
        self._persona = persona
        self._collection = collection
        self._embedding = embedding

    def claim(self, after: int) -> Claimed:
        """The next events whose entry is not derived, and that nobody else was given."""
        while found := self._transaction.rows(self._asked.lacking, {"after": after, "model": self._embedding.model}):
            page = found[0]["position"] // PAGE
            if self._is_ours(page):
                # Asked again: whoever held the page before has committed what it derived.
                claimed = self._page(max(after + 1, page * PAGE), (page + 1) * PAGE)
                if claimed:
                    return claimed
            after = (page + 1) * PAGE - 1
        return []

    def put(self, entries: Sequence[NewEntry]) -> None:
        """Writes entries, all or none; one that is derived already stays as it is."""
        for one in entries:
            if one.vector is not None:
                self._embedding.fits(f"vector of entry {one.entry.id}", self._embedding.model, len(one.vector) // 4)
        write(self._transaction, [(self._asked.rows, map(self._row, entries))], len(entries))

    def get(self, ids: Iterable[EntryId]) -> dict[EntryId, LongTermEntry]:
        """Those of the entries that are there."""
        wanted = list(ids)
        rows = self._transaction.rows(self._asked.get, {"ids": wanted}) if wanted else []
        return {row["id"]: entry_from(row) for row in rows}

    def nearest(self, vector: bytes, chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries of the most similar vectors of the store's model, with their cosine."""
        self._embedding.check("query", self._embedding.model, vector)
        values = {"query": PackedVector(vector), "model": self._embedding.model, "limit": limit, **_values(chosen)}
        return {row["id"]: row["score"] for row in self._transaction.rows(self._asked.nearest, values)}

    def matching(self, lexemes: Sequence[str], chosen: EventFilter, limit: int) -> Mapping[EntryId, float]:
        """The entries that have lexemes of the query, with `bm25`'s score."""
        asked = sorted(set(lexemes))
        if not asked:
            return {}
        rows = self._transaction.rows(self._asked.counting, {"terms": asked})
        containing = {row["term"]: row["containing"] for row in rows if row["term"] is not None}
        weighing = weigh(lexemes, Counts(rows[0]["documents"], rows[0]["total_length"], containing))
        if not weighing.weights:
            return {}
        values = {
            "terms": list(weighing.weights),
            "weights": list(weighing.weights.values()),
            "flat": weighing.flat,
            "slope": weighing.slope,
            "limit": limit,
            **_values(chosen),
        }
        return {row["id"]: row["score"] for row in self._transaction.rows(self._asked.matching, values)}

    def remaining(self) -> list[Remainder]:
        """What is not derived yet, by status: events without an entry count as not tried."""
        return remainders(self._transaction.rows(self._asked.remaining, {"model": self._embedding.model}))

    def _is_ours(self, page: int) -> bool:
        key = self._asked.log.key_of(self._transaction.anchor.id, f" {page}")
        return bool(self._transaction.rows(self._asked.try_lock, {"key": key})[0]["ours"])

    def _page(self, start: int, end: int) -> Claimed:
        rows = self._transaction.rows(self._asked.page, {"start": start, "end": end, "model": self._embedding.model})
        anchor_id = self._transaction.anchor.id
        return [(event_from(anchor_id, self._persona, row), claimed_entry(row)) for row in rows]

    def _row(self, new: NewEntry) -> dict[str, Any]:
        terms = document(new.lexemes, {})
        return {
            "anchor_id": self._transaction.anchor.id,
            "collection": self._collection,
            **entry_row(new.entry),
            "length": terms.length,
            "terms": PackedTexts.of(terms.terms),
            "frequencies": PackedIntegers.of(terms.terms.values()),
            "model": None if new.vector is None else self._embedding.model,
            "vector": None if new.vector is None else PackedVector(new.vector),
        }


def _values(chosen: EventFilter) -> dict[str, Any]:
    return {
        "kinds": sorted(chosen.kinds),
        "visibilities": sorted(chosen.visibilities),
        "loop_id": chosen.loop_id,
        "since": chosen.since,
        "until": chosen.until,
    }


if TYPE_CHECKING:
    from lamina.ports.long_term import LongTerm

    _: type[LongTerm] = PostgresLongTerm
