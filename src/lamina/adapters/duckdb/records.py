"""Records in DuckDB. It has no triggers: what Postgres refuses by itself, this adapter refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.rules import DuckDBRules
from lamina.adapters.duckdb.statements import instants
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.vectors import VectorRow
from lamina.domain.discipline import SHADOW_FLOOR, is_shadow
from lamina.domain.errors import OverlappingClaims, ShadowsRule
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import NOT_LIVE, from_row, state_row, to_row
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
LIVE = " AND ".join(f"{column} IS NULL" for column in NOT_LIVE)


class DuckDBRecords:
    """The records of one anchor, in one transaction."""

    def __init__(self, transaction: Transaction, rules: DuckDBRules) -> None:
        self._statements = transaction.statements
        self._names = transaction.names
        self._anchor = transaction.anchor
        self._embedding = transaction.embedding
        self._collections = transaction.collections
        self._rules = rules
        self._memory = transaction.names.table("memory")

    def add(self, entries: Sequence[Entry]) -> None:
        """Writes new records, all or none."""
        for entry in entries:
            entry.check(self._anchor, self._embedding, self._names.body_bound)
            self._check_shadow(entry.record)
        keys = dict(self._anchor.parts)
        self._statements.insert(self._memory, [keys | to_row(entry.record) for entry in entries])
        self._statements.insert(
            self._names.table("embeddings"), [_embedding(entry) for entry in entries if entry.embedding]
        )
        self._check_claims([entry.record for entry in entries])
        loaded = self._collections.loaded(self._anchor.id)
        if loaded:
            loaded.append([VectorRow.of(one.record, one.embedding.vector) for one in entries if one.embedding])

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
        if isinstance(record.state, Tombstoned):
            self._erase_vector(record)
        loaded = self._collections.loaded(self._anchor.id)
        if loaded:
            loaded.change(record)

    def _erase_vector(self, record: MemoryRecord) -> None:
        embeddings = self._names.table("embeddings")
        self._statements.run(
            f"DELETE FROM {embeddings} WHERE anchor_id = ? AND memory_id = ?", [self._anchor.id, record.id]
        )
        # Its numbers are still in the matrix: the next search loads one without them.
        self._collections.forget(self._anchor.id)

    def get(self, ids: Iterable[MemoryId]) -> dict[MemoryId, MemoryRecord]:
        """Those of the records that are there."""
        wanted = list(ids)
        marks = ", ".join("?" for _ in wanted)
        # A list of values is served by the index on id; a subquery would scan the table.
        found = self._select(f"id IN ({marks})", wanted) if wanted else []
        return {record.id: record for record in found}

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        return self._select(
            f"tier = 'persistent' AND typology = ? AND subject_key = ? AND aspect_key = ? AND {LIVE}"
            " ORDER BY valid_at, id",
            [typology.value, *key],
        )

    def _select(self, condition: str, parameters: Sequence[Any]) -> list[MemoryRecord]:
        rows = self._statements.rows(
            f"SELECT * EXCLUDE ({', '.join(TIMES)}), {instants(TIMES)} FROM {self._memory}"
            f" WHERE anchor_id = ? AND {condition}",
            [self._anchor.id, *parameters],
        )
        return [from_row(row, self._anchor) for row in rows]

    def _check_shadow(self, record: MemoryRecord) -> None:
        closest = self._rules.closest(record.body) if len(record.body) >= SHADOW_FLOOR else None
        if closest and is_shadow(record.body, closest[1]):
            ref, near = closest[0].ref, closest[1]
            raise ShadowsRule(
                f"record {record.id}",
                f"copies rule {ref.rule_id} version {ref.version} (similarity {near:.3f})",
                "refer to the rule, and write what you think of it",
            )

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


def _embedding(entry: Entry) -> dict[str, Any]:
    assert entry.embedding is not None  # noqa: S101 (the caller filtered)
    return {
        "anchor_id": entry.record.scope.anchor.id,
        "id": entry.embedding.id,
        "memory_id": entry.record.id,
        "model": entry.embedding.model,
        "dimension": entry.embedding.dimension,
        "vector": entry.embedding.vector,
    }


if TYPE_CHECKING:
    from lamina.ports.records import Records

    _: type[Records] = DuckDBRecords
