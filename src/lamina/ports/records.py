"""The memory records of one anchor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from lamina.domain.anchor import Anchor
from lamina.domain.embedding import Embedding
from lamina.domain.errors import StaleRecord, UnknownRecord, WrongAnchor
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.terms import Document, document
from lamina.domain.text import checked_text
from lamina.domain.typology import Typology


@dataclass(frozen=True, slots=True)
class Entry:
    """A record on its way in, with what it is found by. A transient one may have no embedding (D11)."""

    record: MemoryRecord
    embedding: Embedding | None = None
    lexemes: Sequence[str] = ()

    @property
    def document(self) -> Document:
        """The record as the terms that it is found by."""
        return document(self.lexemes, self.record.tags)

    def check(self, anchor: Anchor, embedding: EmbeddingChoice, body_bound: int) -> None:
        """What every store refuses to write: a record of another anchor, too long a body, a vector of another model."""
        record = self.record
        # What a record or an embedding has checked of itself is not checked again: this is done for every row.
        if record.scope.anchor is not anchor and record.scope.anchor != anchor:
            raise WrongAnchor(f"record {record.id}", f"is of ({record.scope.anchor})", f"this unit is of ({anchor})")
        if len(record.body) > body_bound:
            checked_text(record.body, "body", at_most=body_bound)
        if self.embedding and not embedding.gave(self.embedding):
            embedding.fits(f"vector of record {record.id}", self.embedding.model, self.embedding.dimension)


def check_version(record: MemoryRecord, stored: MemoryRecord | None) -> None:
    """What every store refuses before it changes a record: one that is not there, or that somebody else changed."""
    if stored is None:
        raise UnknownRecord(f"record {record.id}", "is not there", "write it first, in this anchor")
    if stored.version != record.version - 1:
        raise StaleRecord(
            f"record {record.id}", f"is at version {stored.version}", "read it again and decide on what it is now"
        )


class Records(Protocol):
    """Keeps records and never removes one. Every answer is of the bound anchor only.

    Writing raises `WrongAnchor` for a record of another anchor, `DuplicateId` for an id that is taken, and
    `OverlappingClaims` where two live persistent claims of one subject and aspect would be valid at one time.
    """

    def add(self, entries: Sequence[Entry]) -> None:
        """Writes new records, all or none."""
        ...

    def change(self, record: MemoryRecord) -> None:
        """Writes a transition's state columns; raises `StaleRecord` if the stored version is not the one before it."""
        ...

    def get(self, ids: Iterable[MemoryId]) -> dict[MemoryId, MemoryRecord]:
        """Those of the records that are there, in the order they were asked for."""
        ...

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        ...

    def candidates_with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The persistent candidates of one subject and aspect, by when they were recorded, then by id."""
        ...

    def next_position(self, session_id: SessionId) -> int:
        """One more than the highest position of any record that was first observed in the session; 0 for none."""
        ...
