"""Records that were read lately, each as of one version: what a client need not ask for again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.record import MemoryRecord

MOST: Final = 4_096
Key = tuple[AnchorId, MemoryId]


class Remembered:
    """At most twice so many. Nothing is looked for here by itself: who asks has just seen the record, and its version,
    under row security."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lately: dict[Key, MemoryRecord] = {}
        self._before: dict[Key, MemoryRecord] = {}

    def get(self, anchor: AnchorId, id_: MemoryId, version: int) -> MemoryRecord | None:
        """The record as of that version, if it is remembered."""
        key = (anchor, id_)
        record = self._lately.get(key) or self._before.get(key)
        return record if record and record.version == version else None

    def keep(self, records: Iterable[MemoryRecord]) -> None:
        """Remembers records, and forgets what was read longest ago."""
        if len(self._lately) >= self._most:
            self._before, self._lately = self._lately, {}
        self._lately |= {(record.scope.anchor.id, record.id): record for record in records}
