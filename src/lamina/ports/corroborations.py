"""Who confirmed a record or failed to (D9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.corroboration import Corroboration
from lamina.domain.ids import MemoryId


class Corroborations(Protocol):
    """Keeps corroborations; none is ever changed or removed. Raises `UnknownRecord` if the record is not there."""

    def add(self, corroborations: Sequence[Corroboration]) -> None:
        """Writes new ones, all or none."""
        ...

    def of(self, memory_id: MemoryId) -> list[Corroboration]:
        """Those of one record, oldest first."""
        ...

    def of_any(self, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Corroboration]]:
        """Those of each record that has any, oldest first: asked at once."""
        ...
