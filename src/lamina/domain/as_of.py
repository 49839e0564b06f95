"""Two axes of time: what was so in the world then, and what we knew of it then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from lamina.domain.instants import checked_instant
from lamina.domain.record import MemoryRecord
from lamina.domain.state import ACTIVE, Active, Archived, Candidate, Invalidated, Live, Superseded, Tombstoned
from lamina.domain.validity import Validity


@dataclass(frozen=True, slots=True)
class AsOf:
    """Memory as it stood: what we held at `known_at` to be so at `valid_at`.

    What was invalidated or superseded was so until then, so it still answers for an earlier `valid_at`. What was
    archived is not surfaced from then on, and what was erased is gone from every time.
    """

    valid_at: datetime
    known_at: datetime

    def __post_init__(self) -> None:
        checked_instant(self.valid_at, "valid_at")
        checked_instant(self.known_at, "known_at")

    def takes(self, record: MemoryRecord) -> bool:
        """Whether we held it to be so: what every store's search must agree with."""
        if isinstance(record.state, Candidate | Tombstoned) or known_since(record) > self.known_at:
            return False
        if isinstance(record.state, Archived) and record.state.at <= self.known_at:
            return False
        end = self._end(record)
        return record.validity.valid_at <= self.valid_at and (end is None or self.valid_at < end)

    def of(self, record: MemoryRecord, was: Live = ACTIVE) -> MemoryRecord:
        """The record as we knew it then: what was decided about it since is not in it. The log says what it was."""
        state, validity = record.state, record.validity
        if isinstance(state, Active | Candidate | Tombstoned) or state.at <= self.known_at:
            return record
        if isinstance(state, Invalidated):
            validity = Validity(validity.valid_at, state.former_end)
        return replace(record, state=was, validity=validity)

    def _end(self, record: MemoryRecord) -> datetime | None:
        """When it ended, as far as we knew."""
        state, end = record.state, record.validity.invalid_at
        if isinstance(state, Superseded) and state.at <= self.known_at:
            return state.at if end is None else min(state.at, end)
        if isinstance(state, Invalidated) and state.at > self.known_at:
            return state.former_end
        return end


def known_since(record: MemoryRecord) -> datetime:
    """When it became live: a candidate was not known until it was granted."""
    return record.granted_at or record.recorded_at
