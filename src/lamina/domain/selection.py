"""Which part of an anchor's memory a search looks at. A store applies it: it removes rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from lamina.domain.as_of import AsOf
from lamina.domain.ids import SessionId
from lamina.domain.instants import checked_instant
from lamina.domain.record import MemoryRecord
from lamina.domain.state import Candidate, Tombstoned
from lamina.domain.tier import Tier
from lamina.domain.typology import CELLS, Typology


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Live memory of these tiers and typologies, unless retired memory is asked for too."""

    tiers: frozenset[Tier] = frozenset(Tier)
    typologies: frozenset[Typology] = frozenset(Typology)
    since: datetime | None = None
    until: datetime | None = None
    """Bounds on valid_at: from `since`, up to but not including `until`."""
    session_id: SessionId | None = None
    """Only what was first observed in this session."""
    include_retired: bool = False
    as_of: AsOf | None = None
    """Memory as it stood at another time; then it does not matter what is live now."""

    def __post_init__(self) -> None:
        for name, instant in (("since", self.since), ("until", self.until)):
            if instant is not None:
                checked_instant(instant, name)

    @property
    def cells(self) -> tuple[bool, ...]:
        """Of each of `CELLS`, whether it is of these tiers and typologies."""
        return _cells(self.tiers, self.typologies)

    def takes(self, record: MemoryRecord) -> bool:
        """Whether it is one of them: what every store's search must agree with."""
        valid_at = record.validity.valid_at
        return (
            record.tier in self.tiers
            and record.typology in self.typologies
            and (self.since is None or self.since <= valid_at)
            and (self.until is None or valid_at < self.until)
            and (self.session_id is None or (record.origin is not None and record.origin.session_id == self.session_id))
            and self._surfaces(record)
        )

    def _surfaces(self, record: MemoryRecord) -> bool:
        if self.as_of:
            return self.as_of.takes(record)
        return record.live or (self.include_retired and not isinstance(record.state, Candidate | Tombstoned))


@lru_cache(maxsize=256)
def _cells(tiers: frozenset[Tier], typologies: frozenset[Typology]) -> tuple[bool, ...]:
    """Asked at each search, and of a handful of selections: there are eight sets of either at most."""
    return tuple([cell.tier in tiers and cell.typology in typologies for cell in CELLS])
