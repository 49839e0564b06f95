"""Evidence: the records that speak for a fact, wherever the end of their scope has taken them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeGuard

from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.state import Tombstoned
from lamina.ports.unit_of_work import UnitOfWork

SILENT: Final = "is no memory of this anchor, or was erased"


def evidence(unit: UnitOfWork, ids: Sequence[MemoryId]) -> tuple[list[MemoryRecord], list[MemoryId]]:
    """The records, and the ids that lead to none. What moved up when its scope ended is found where it is now."""
    there = unit.records.get(ids)
    found = {id_: there.get(id_) or _moved(unit, id_) for id_ in dict.fromkeys(ids)}
    # Two that became one speak with one voice.
    speaking = {record.id: record for record in found.values() if speaks(record)}
    return list(speaking.values()), [id_ for id_, record in found.items() if not speaks(record)]


def speaks(record: MemoryRecord | None) -> TypeGuard[MemoryRecord]:
    """Whether it is there and says something: what was erased does not."""
    return record is not None and not isinstance(record.state, Tombstoned)


def _moved(unit: UnitOfWork, memory_id: MemoryId) -> MemoryRecord | None:
    """What stands for a record that is gone: its scope's end wrote down first what took its place."""
    closings = [entry.outcome for entry in unit.decisions.about(memory_id) if entry.verb in ("close", "escalate")]
    following = next((outcome.id for outcome in closings if outcome.id != memory_id), None)
    if following is None:
        return None
    return unit.records.get([following]).get(following) or _moved(unit, following)
