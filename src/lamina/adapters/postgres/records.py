"""Records in Postgres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, any_, bindparam, delete, func, literal_column, select, update
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.arrays import PackedIntegers, PackedTexts, PackedUuids
from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.row_writer import Batch, RowWriter, write
from lamina.adapters.postgres.selecting import is_live
from lamina.adapters.postgres.statements import Statement, readable
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.adapters.postgres.vectors import PackedVector
from lamina.domain.errors import StaleRecord
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import STATE_COLUMNS, from_row, state_row, to_row
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.state import Tombstoned
from lamina.domain.typology import CELLS, Typology
from lamina.ports.records import Entry, check_version

CELL_NAMES: Final = {cell: str(cell) for cell in CELLS}
"""One and the same object for all rows of a cell: what is the same is sent once (see row_writer)."""


@dataclass(frozen=True, slots=True)
class RecordStatements:
    """What is asked of the memory and embeddings tables."""

    memory: RowWriter
    embeddings: RowWriter
    documents: RowWriter
    get: Statement
    with_claim: Statement
    candidates: Statement
    next_position: Statement
    change: Statement
    erase: Statement
    forget: tuple[Statement, ...]

    @classmethod
    def of(cls, tables: Tables) -> RecordStatements:
        """The statements of one spec."""
        memory = tables["memory"]
        mine = select(*readable(memory)).where(memory.c.anchor_id == bindparam("anchor_id"))
        matter = [memory.c[name] == bindparam(name) for name in ("typology", "subject_key", "aspect_key")]
        claims = mine.where(literal_column("'persistent'") == memory.c.tier, *matter)
        held = claims.where(memory.c.held_at.is_not(None), memory.c.tombstoned_at.is_(None))
        highest = select(func.max(memory.c.origin_position).label("highest")).where(
            memory.c.anchor_id == bindparam("anchor_id"), memory.c.origin_session_id == bindparam("session_id")
        )
        this = (memory.c.anchor_id == bindparam("anchor_id"), memory.c.id == bindparam("memory_id"))
        changed = {name: bindparam(f"new_{name}", type_=memory.c[name].type) for name in (*STATE_COLUMNS, "version")}
        before = memory.c.version == bindparam("new_version", type_=Integer) - 1
        change = update(memory).where(*this, before).values(changed)
        return cls(
            memory=RowWriter.of(memory),
            embeddings=RowWriter.of(tables["embeddings"]),
            documents=RowWriter.of(tables["documents"]),
            get=Statement.of(mine.where(memory.c.id == any_(bindparam("ids", type_=ARRAY(UUID)))), lasting=True),
            with_claim=Statement.of(claims.where(is_live(memory)).order_by(memory.c.valid_at, memory.c.id)),
            candidates=Statement.of(held.order_by(memory.c.recorded_at, memory.c.id)),
            next_position=Statement.of(highest),
            change=Statement.of(change),
            erase=Statement.of(change.values(body_text="", embedding_id=None)),
            forget=tuple(_forget(tables, name) for name in ("embeddings", "documents")),
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
        batches: list[Batch] = [
            (self._statements.memory, (to_row(entry.record) | keys for entry in entries)),
            (self._statements.embeddings, (_embedding_row(entry) for entry in entries if entry.embedding)),
            (self._statements.documents, (row for entry in entries if (row := _document_row(entry)))),
        ]
        write(self._transaction, batches, len(entries), lambda: _about(entry.record for entry in entries))

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
        """Those of the records that are there, in the order they were asked for."""
        wanted = list(ids)
        runs = [(self._statements.get, {"ids": PackedUuids.of(wanted)})] if wanted else []
        found = {row["id"]: from_row(row, self._anchor) for rows in self._transaction.named(runs) for row in rows}
        return {id_: found[id_] for id_ in wanted if id_ in found}

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        return self._claims(self._statements.with_claim, typology, key)

    def candidates_with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The persistent candidates of one subject and aspect, by when they were recorded, then by id."""
        return self._claims(self._statements.candidates, typology, key)

    def _claims(self, statement: Statement, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        matter = {"typology": typology.value, "subject_key": key[0], "aspect_key": key[1]}
        return [from_row(row, self._anchor) for row in self._transaction.rows(statement, matter)]

    def next_position(self, session_id: SessionId) -> int:
        """One more than the highest position of any record that was first observed in the session; 0 for none."""
        (row,) = self._transaction.rows(self._statements.next_position, {"session_id": session_id})
        return 0 if row["highest"] is None else int(row["highest"]) + 1


def _embedding_row(entry: Entry) -> dict[str, Any]:
    record, embedding = entry.record, entry.embedding
    assert embedding is not None  # noqa: S101 (the caller filtered)
    return {
        "anchor_id": record.scope.anchor.id,
        "id": embedding.id,
        "memory_id": record.id,
        "cell": CELL_NAMES[record.cell],
        "model": embedding.model,
        "dimension": embedding.dimension,
        "vector": PackedVector(embedding.vector),
        "indexed": False,
    }


def _document_row(entry: Entry) -> dict[str, Any] | None:
    document = entry.document
    if not document.terms:
        return None
    return {
        "anchor_id": entry.record.scope.anchor.id,
        "memory_id": entry.record.id,
        "valid_at": entry.record.validity.valid_at,
        "length": document.length,
        "terms": PackedTexts.of(document.terms),
        "frequencies": PackedIntegers.of(document.terms.values()),
        "spread": False,
    }


def _about(records: Iterable[MemoryRecord]) -> About:
    known = list(records)
    claims = [one.claim for one in known if one.claim]
    return About([one.id for one in known], [f"{claim.subject!r} {claim.aspect!r}" for claim in claims])


if TYPE_CHECKING:
    from lamina.ports.records import Records

    _: type[Records] = PostgresRecords
