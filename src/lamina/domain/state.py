"""What has become of a record. States are types, so a live record with a successor cannot be written down (D10).

candidate: Candidate                          held by a promotion criterion; kept, not surfaced
live: Active, Promoted, Exempted              surfaced by recall
retired: Archived, Invalidated, Superseded    kept and readable, not surfaced
erased: Tombstoned                            body and vector blanked; the row and its trail stay
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lamina.domain.ids import MemoryId
from lamina.domain.instants import checked_instant
from lamina.domain.text import checked_text

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Active:
    """Live, and not yet disposed of: the forcing function presses on it."""


ACTIVE: Final = Active()
"""One for all: it says nothing that tells two of them apart."""


@dataclass(frozen=True, slots=True)
class _Since:
    at: datetime

    def __post_init__(self) -> None:
        checked_instant(self.at, f"{type(self).__name__.lower()} at")


@dataclass(frozen=True, slots=True)
class _Reasoned(_Since):
    reason: str

    def __post_init__(self) -> None:
        _Since.__post_init__(self)
        checked_text(self.reason, f"{type(self).__name__.lower()} reason", at_most=LONGEST_REASON)


@dataclass(frozen=True, slots=True)
class Candidate(_Reasoned):
    """Not yet live: proposed, and held until it meets the criterion. Reconsidered with every corroboration."""

    criterion: str


@dataclass(frozen=True, slots=True)
class Promoted(_Since):
    """Live, and disposed of: a more durable record was made from it."""

    into: MemoryId


@dataclass(frozen=True, slots=True)
class Exempted(_Reasoned):
    """Live, and disposed of: somebody decided that it stays as it is."""


@dataclass(frozen=True, slots=True)
class Archived(_Reasoned):
    """Retired: no longer surfaced."""


@dataclass(frozen=True, slots=True)
class Invalidated(_Reasoned):
    """Retired: it is no longer so. `at` is when we learned it; the record's validity says since when."""

    by: MemoryId | None = None
    former_end: datetime | None = None
    """When its validity was to end before that: what we believed then, and what an undo brings back."""


@dataclass(frozen=True, slots=True)
class Superseded(_Since):
    """Retired: another record took its place."""

    by: MemoryId


Live = Active | Promoted | Exempted
Retired = Archived | Invalidated | Superseded


@dataclass(frozen=True, slots=True)
class Tombstoned(_Reasoned):
    """Erased by an explicit, recorded act, after it was retired and when nothing pointed at it."""

    was: Retired


State = Candidate | Active | Promoted | Exempted | Archived | Invalidated | Superseded | Tombstoned


def is_live(state: State) -> bool:
    """Whether recall surfaces it."""
    return isinstance(state, Live)


def is_disposed(state: State) -> bool:
    """Whether the forcing function has let go of it: promoted, exempted or archived."""
    return not isinstance(state, Active)


def leads_to(state: State) -> MemoryId | None:
    """The record that took its place, or that was made from it."""
    return state.into if isinstance(state, Promoted) else successor(state)


def successor(state: State) -> MemoryId | None:
    """The record that took its place, if one did."""
    if isinstance(state, Tombstoned):
        return successor(state.was)
    return state.by if isinstance(state, Invalidated | Superseded) else None
