"""The memory records of one anchor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from lamina.domain.embedding import Embedding
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.typology import Typology


@dataclass(frozen=True, slots=True)
class Entry:
    """A record on its way in, with what it is found by. A transient one may have no embedding (D11)."""

    record: MemoryRecord
    embedding: Embedding | None = None


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
        """Those of the records that are there."""
        ...

    def with_claim(self, typology: Typology, key: tuple[str, str]) -> list[MemoryRecord]:
        """The live persistent records of one subject and aspect, by valid_at."""
        ...
