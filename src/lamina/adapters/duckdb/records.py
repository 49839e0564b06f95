"""Records in DuckDB. It has no triggers: what Postgres refuses by itself, this adapter refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.canonical_rules import DuckDBRules
from lamina.adapters.duckdb.held_records import FEW, MOST_RECORDS
from lamina.adapters.duckdb.shelving import LIVE
from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.writing import Writing
from lamina.domain.copying import INSTEAD, holds, shadows
from lamina.domain.errors import ContainsRule, OverlappingClaims, ShadowsRule
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import from_row, state_row, to_row
from lamina.domain.state import Tombstoned
from lamina.domain.tier import Tier
from lamina.domain.timeline import overlap
from lamina.domain.typology import Typology
from lamina.ports.records import Entry, check_version

TIMES = (
    "recorded_at",
    "granted_at",
    "valid_at",
    "invalid_at",
    "held_at",
    "promoted_at",
    "exempted_at",
    "archived_at",
    "invalidated_at",
    "former_invalid_at",
    "superseded_at",
    "tombstoned_at",
)


class DuckDBRecords:
    """The records of one anchor, in one transaction."""

    def __init__(self, transaction: Transaction, rules: DuckDBRules) -> None:
        self._statements = transaction.statements
        self._names = transaction.names
        self._anchor = transaction.anchor
        self._embedding = transaction.embedding
        self._shelves = transaction.held.shelves
        self._held = transaction.held_records
        self._rules = rules
        self._memory, self._embeddings, self._documents = (
            transaction.names.table(name) for name in ("memory", "embeddings", "documents")
        )

    def add(self, entries: Sequence[Entry]) -> None:
        """Writes new records, all or none."""
        for entry in entries:
            entry.check(self._anchor, self._embedding, self._names.body_bound)
        self._check_shadows([entry.record for entry in entries])
        if not entries:
            return
        new = Writing(entries)
        self._statements.insert(self._memory, (to_row(entry.record) for entry in entries), dict(self._anchor.parts))
        self._statements.insert_columns(self._embeddings, new.embeddings(self._anchor.id))
        self._statements.insert_columns(self._documents, new.documents(self._anchor.id))
        self._check_claims([entry.record for entry in entries])
        self._held.hold(entry.record for entry in entries[-MOST_RECORDS:])
        shelf = self._shelves.loaded(self._anchor.id)
        if shelf:
            shelf.append(new.arrivals())

    def change(self, record: MemoryRecord) -> None:
        """Writes a transition's state columns, if nobody else wrote one in between."""
        check_version(record, self.get([record.id]).get(record.id))
        row = {
            **state_row(record),
            "version": record.version,
            "body_text": record.body,
            "embedding_id": record.embedding_id,
        }
        assignments = ", ".join(f"{column} = ?" for column in row)
        self._statements.run(
            f"UPDATE {self._memory} SET {assignments} WHERE anchor_id = ? AND id = ?",
            [*row.values(), self._anchor.id, record.id],
        )
        self._check_claims([record])
        self._held.hold([record])
        if isinstance(record.state, Tombstoned):
            self._erase(record)
        shelf = self._shelves.loaded(self._anchor.id)
        if shelf:
            shelf.change(record)

    def _erase(self, record: MemoryRecord) -> None:
        for table in (self._embeddings, self._documents):
            self._statements.run(
                f"DELETE FROM {table} WHERE anchor_id = ? AND memory_id = ?", [self._anchor.id, record.id]
            )
        # Its words and numbers are still on the shelf: the next search loads one without them.
        self._shelves.forget(self._anchor.id)

    def get(self, ids: Iterable[MemoryId]) -> dict[MemoryId, MemoryRecord]:
        """Those of the records that are there, in the order they were asked for."""
        wanted = list(ids)
        found, missing = self._held.get(wanted)
        if not missing:
            return found
        read = self._read(missing)
        self._held.hold(read)
        found |= {record.id: record for record in read}
        return {id_: found[id_] for id_ in wanted if id_ in found}

    def _read(self, missing: Sequence[MemoryId]) -> list[MemoryRecord]:
        shelf = self._shelves.loaded(self._anchor.id)
        every: list[MemoryRecord] = []
        if shelf and shelf.size <= FEW and not self._held.whole:
            # Whoever searches a small anchor comes again, and to read all of it takes as long as a few reads of ten.
            self._held.whole = True
            every = self._select(f"tombstoned_at IS NULL LIMIT {MOST_RECORDS}", [])
        missed = set(missing).difference(record.id for record in every)
        marks = ", ".join("?" for _ in missed)
        # A list of values is served by the index on id; a subquery would scan the table.
        return every + (self._select(f"id IN ({marks})", list(missed)) if missed else [])

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        return self._select(
            f"tier = 'persistent' AND typology = ? AND subject_key = ? AND aspect_key = ? AND {LIVE}"
            " ORDER BY valid_at, id",
            [typology.value, *key],
        )

    def candidates_with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The persistent candidates of one subject and aspect, by when they were recorded, then by id."""
        return self._select(
            "tier = 'persistent' AND typology = ? AND subject_key = ? AND aspect_key = ? AND held_at IS NOT NULL"
            " ORDER BY recorded_at, id",
            [typology.value, *key],
        )

    def next_position(self, session_id: SessionId) -> int:
        """One more than the highest position of any record that was first observed in the session; 0 for none."""
        (found,) = self._statements.rows(
            f"SELECT coalesce(max(origin_position) + 1, 0) AS next FROM {self._memory}"
            f" WHERE anchor_id = ? AND origin_session_id = ?",
            [self._anchor.id, session_id],
        )
        position: int = found["next"]
        return position

    def persistent(self, condition: str, after: MemoryId | None, limit: int) -> list[MemoryRecord]:
        """A page of the persistent records, by id."""
        return self._select(
            f"tier = 'persistent' AND {condition} AND (?::UUID IS NULL OR id > ?) ORDER BY id LIMIT ?",
            [after, after, limit],
        )

    def _select(self, condition: str, parameters: Sequence[Any]) -> list[MemoryRecord]:
        rows = self._statements.rows(
            f"SELECT * EXCLUDE ({', '.join(TIMES)}), {instants(TIMES)} FROM {self._memory}"
            f" WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [from_row(row, self._anchor) for row in rows]

    def _check_shadows(self, records: Sequence[MemoryRecord]) -> None:
        bodies = [record.body for record in records]
        copied, held = self._rules.copied_by(bodies), self._rules.held_by(bodies)
        for record, shadowed, quoted in zip(records, copied, held, strict=True):
            if shadowed:
                raise ShadowsRule(f"record {record.id}", shadows(*shadowed), INSTEAD)
            if quoted:
                raise ContainsRule(f"record {record.id}", holds(*quoted), INSTEAD)

    def _check_claims(self, records: Sequence[MemoryRecord]) -> None:
        keys = {
            (one.typology, *one.claim.key) for one in records if one.claim and one.tier is Tier.PERSISTENT and one.live
        }
        if not keys:
            return
        line = self._select(
            f"tier = 'persistent' AND {LIVE} AND subject_key IN (SELECT unnest(?::VARCHAR[])) ORDER BY subject_key",
            [sorted({subject for _, subject, _ in keys})],
        )
        matter = [(one.typology, *one.claim.key) if one.claim else None for one in line]
        together = sorted(zip(matter, line, strict=True), key=lambda pair: str(pair[0]))
        for key, group in groupby(together, key=lambda pair: pair[0]):
            met = overlap(record for _, record in group) if key in keys else None
            if met:
                _refuse(*met)


def _refuse(earlier: MemoryRecord, later: MemoryRecord) -> None:
    claim = later.claim or earlier.claim
    subject, aspect = (claim.subject, claim.aspect) if claim else ("", "")
    raise OverlappingClaims(
        f"record {later.id}",
        f"says of {subject!r} what its {aspect!r} is, while {earlier.id} does",
        "end the earlier one where the later begins",
    )


if TYPE_CHECKING:
    from lamina.ports.records import Records

    _: type[Records] = DuckDBRecords
