"""Records in Postgres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, any_, bindparam, delete, literal_column, select, update
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import RowWriter, write
from lamina.adapters.postgres.selecting import is_live
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.errors import StaleRecord
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import STATE_COLUMNS, from_row, state_row, to_row
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.state import Tombstoned
from lamina.domain.typology import Typology
from lamina.ports.records import Entry, check_version


@dataclass(frozen=True, slots=True)
class RecordStatements:
    """What is asked of the memory and embeddings tables."""

    memory: RowWriter
    embeddings: RowWriter
    get: Statement
    with_claim: Statement
    change: Statement
    erase: Statement
    forget: tuple[Statement, ...]

    @classmethod
    def of(cls, tables: Tables) -> RecordStatements:
        """The statements of one spec."""
        memory = tables["memory"]
        mine = select(*readable(memory)).where(memory.c.anchor_id == bindparam("anchor_id"))
        matter = [memory.c[name] == bindparam(name) for name in ("typology", "subject_key", "aspect_key")]
        live_claim = (literal_column("'persistent'") == memory.c.tier, is_live(memory), *matter)
        this = (memory.c.anchor_id == bindparam("anchor_id"), memory.c.id == bindparam("memory_id"))
        changed = {name: bindparam(f"new_{name}", type_=memory.c[name].type) for name in (*STATE_COLUMNS, "version")}
        before = memory.c.version == bindparam("new_version", type_=Integer) - 1
        change = update(memory).where(*this, before).values(changed)
        return cls(
            memory=RowWriter.of(memory),
            embeddings=RowWriter.of(tables["embeddings"]),
            get=Statement.of(mine.where(memory.c.id == any_(bindparam("ids", type_=ARRAY(UUID))))),
            with_claim=Statement.of(mine.where(*live_claim).order_by(memory.c.valid_at, memory.c.id)),
            change=Statement.of(change),
            erase=Statement.of(change.values(body_text="", embedding_id=None)),
            forget=tuple(_forget(tables, name) for name in ("embeddings", "postings")),
        )


def _forget(tables: Tables, name: str) -> Statement:
    table = tables[name]
    this = (table.c.anchor_id == bindparam("anchor_id"), table.c.memory_id == bindparam("memory_id"))
    return Statement.of(delete(table).where(*this))


class PostgresRecords:
    """The records of one anchor, in one transaction."""

    def __init__(
        self, transaction: Transaction, statements: RecordStatements, embedding: EmbeddingChoice, body_bound: int
    ) -> None:
        self._transaction = transaction
        self._anchor = transaction.anchor
        self._statements = statements
        self._embedding = embedding
        self._body_bound = body_bound

    def add(self, entries: Sequence[Entry]) -> None:
        """Writes new records, all or none."""
        for entry in entries:
            entry.check(self._anchor, self._embedding, self._body_bound)
        keys = dict(self._anchor.parts)
        rows = [keys | to_row(entry.record) for entry in entries]
        vectors = [_embedding_row(entry) for entry in entries if entry.embedding]
        batches = [(self._statements.memory, rows), (self._statements.embeddings, vectors)]
        write(self._transaction, batches, lambda: _about(entry.record for entry in entries))

    def change(self, record: MemoryRecord) -> None:
        """Writes a transition's state columns, if nobody else wrote one in between."""
        erased = isinstance(record.state, Tombstoned)
        statement = self._statements.erase if erased else self._statements.change
        row = {f"new_{name}": value for name, value in (state_row(record) | {"version": record.version}).items()}
        if not self._transaction.count(statement, {"memory_id": record.id, **row}, lambda: _about([record])):
            check_version(record, self.get([record.id]).get(record.id))
            raise StaleRecord(
                f"record {record.id}", "was changed just now", "read it again and decide on what it is now"
            )
        for forget in self._statements.forget if erased else ():
            self._transaction.count(forget, {"memory_id": record.id})

    def get(self, ids: Iterable[MemoryId]) -> dict[MemoryId, MemoryRecord]:
        """Those of the records that are there."""
        wanted = list(ids)
        rows = self._transaction.rows(self._statements.get, {"ids": wanted}) if wanted else []
        return {row["id"]: from_row(row, self._anchor) for row in rows}

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        matter = {"typology": typology.value, "subject_key": key[0], "aspect_key": key[1]}
        found = self._transaction.rows(self._statements.with_claim, matter)
        return [from_row(row, self._anchor) for row in found]


def _embedding_row(entry: Entry) -> dict[str, Any]:
    record, embedding = entry.record, entry.embedding
    assert embedding is not None  # noqa: S101 (the caller filtered)
    return {
        "anchor_id": record.scope.anchor.id,
        "id": embedding.id,
        "memory_id": record.id,
        "cell": str(record.cell),
        "model": embedding.model,
        "dimension": embedding.dimension,
        "vector": PackedVector(embedding.vector),
        "indexed": False,
    }


def _about(records: Iterable[MemoryRecord]) -> About:
    known = list(records)
    claims = [one.claim for one in known if one.claim]
    return About([one.id for one in known], [f"{claim.subject!r} {claim.aspect!r}" for claim in claims])


if TYPE_CHECKING:
    from lamina.ports.records import Records

    _: type[Records] = PostgresRecords
