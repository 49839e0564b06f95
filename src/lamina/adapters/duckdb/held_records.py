"""Records that were read or written lately: a record never changes, and reading ten anew takes longer than a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord

MOST_RECORDS: Final = 4_000
FEW: Final = 1_000
"""Up to so many, an anchor's records are read all at once."""
_BYTES: Final = 2_000
"""About what a record of a few sentences takes."""


class HeldRecords:
    """Some records of one anchor, as the file has them. Units run one after another, so nobody else changes it."""

    def __init__(self) -> None:
        self._records: dict[int, MemoryRecord] = {}
        self.whole = False
        """Whether all of the anchor was read, so that it is not tried again."""

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return _BYTES * len(self._records)

    def get(self, ids: Iterable[MemoryId]) -> tuple[dict[MemoryId, MemoryRecord], list[MemoryId]]:
        """Those that are held, and the ids of the others."""
        found, missing = {}, []
        for id_ in ids:
            record = self._records.get(id_.int)
            if record is None:
                missing.append(id_)
            else:
                found[id_] = record
        return found, missing

    def hold(self, records: Iterable[MemoryRecord]) -> None:
        """Keeps these; if they are too many, those go that came first."""
        for record in records:
            self._records[record.id.int] = record
        while len(self._records) > MOST_RECORDS:
            del self._records[next(iter(self._records))]

    def let_go(self, ids: Iterable[MemoryId]) -> None:
        """Of what was removed."""
        for id_ in ids:
            self._records.pop(id_.int, None)
