"""Tiers carry durability, and nothing else (P3, D1). What a cycle or a run is, is the agent's own affair."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lamina.domain.frozen import Frozen, Name, Words


class Tier(StrEnum):
    """The universal lifecycle, from the shortest-lived to the most durable."""

    INTERACTION = "interaction"
    SESSION = "session"
    PERSISTENT = "persistent"

    @property
    def transient(self) -> bool:
        """Whether it inherits its lifecycle from the scope that encloses it (D12)."""
        return self is not Tier.PERSISTENT

    @property
    def height(self) -> int:
        """0 for the lowest. Compare heights: the names do not sort."""
        return list(Tier).index(self)


class BoundaryKind(StrEnum):
    """What ends a tier."""

    LIFECYCLE_EVENT = "lifecycle-event"
    SCOPE_CHANGE = "scope-change"
    ANCHOR_ESCALATION = "anchor-escalation"


class Boundary(Frozen):
    """One way out of a tier: its kind, and the event by which it is known."""

    kind: BoundaryKind
    event: Words


class TierModel(Frozen):
    """One tier of an agent: the keys that a write to it needs, the scope whose lifecycle it inherits, what ends it."""

    tier: Tier
    anchor: Annotated[tuple[Name, ...], Field(min_length=1)]
    scope: Words
    boundaries: tuple[Boundary, ...] = ()
