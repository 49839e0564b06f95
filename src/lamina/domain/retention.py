"""The four-state retention model (P6, D12). Only the persistent tier registers a policy; transient tiers inherit
their lifecycle from the scope that encloses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from lamina.domain.corroboration import last_confirmed
from lamina.domain.policies.decay import DecayModel
from lamina.domain.policies.decay import Standing as Age
from lamina.domain.policies.lifecycle import LifecyclePolicy
from lamina.domain.state import Candidate, State, Tombstoned, is_disposed, is_live
from lamina.domain.typology import Typology
from lamina.domain.upkeep import Reviewed


class RetentionState(StrEnum):
    """ACTIVE is live or a candidate; REFERENCED is retired, but something points at it; ORPHANED is retired and
    nothing does; TOMBSTONED is erased."""

    ACTIVE = "ACTIVE"
    REFERENCED = "REFERENCED"
    ORPHANED = "ORPHANED"
    TOMBSTONED = "TOMBSTONED"


_R = RetentionState
MOVES: Final = {
    _R.ACTIVE: {_R.REFERENCED, _R.ORPHANED},
    _R.REFERENCED: {_R.ORPHANED, _R.ACTIVE},
    _R.ORPHANED: {_R.REFERENCED, _R.ACTIVE, _R.TOMBSTONED},
    _R.TOMBSTONED: set[RetentionState](),
}
"""What may follow what. ACTIVE again only by an undo; TOMBSTONED only from ORPHANED, and for good."""


FADING: Final = 0.5
"""The weight that is left after one half-life without a confirmation."""


def retention_state(state: State, pointers: int) -> RetentionState:
    """Derived from the record's state and from how many things point at it; never stored beside them."""
    if is_live(state) or isinstance(state, Candidate):
        return RetentionState.ACTIVE
    if isinstance(state, Tombstoned):
        return RetentionState.TOMBSTONED
    return RetentionState.REFERENCED if pointers else RetentionState.ORPHANED


def is_fading(one: Reviewed, decays: Mapping[Typology, DecayModel], now: datetime) -> bool:
    """Whether time alone has halved the confidence in a live record, by its typology's own decay."""
    record = one.record
    if not record.live or record.typology not in decays:
        return False
    confirmed_at, disposed = last_confirmed(one.corroborations), is_disposed(record.state)
    standing = Age.at(now, record.recorded_at, confirmed_at, disposed=disposed)
    return decays[record.typology].weight(standing, now) < FADING


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """What the persistent tier registers: who owns it, and what ends and what ages each typology that it holds.

    The decay is the typology's own (D12): a deviation of P7 changes what retrieval does, not what is retained.
    """

    owner: str
    agent: str
    lifecycles: Mapping[Typology, LifecyclePolicy]
    decays: Mapping[Typology, DecayModel]
