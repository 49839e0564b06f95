"""Where a record lives. The tier is the scope's type, so a session id above its tier cannot be written down (D2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lamina.domain.anchor import Anchor
from lamina.domain.ids import InteractionId, SessionId
from lamina.domain.tier import BoundaryKind, Tier


@dataclass(frozen=True, slots=True)
class InteractionScope:
    """One turn, one tool call, one code-generation pass."""

    tier: ClassVar[Tier] = Tier.INTERACTION
    anchor: Anchor
    session_id: SessionId
    interaction_id: InteractionId


@dataclass(frozen=True, slots=True)
class SessionScope:
    """One sitting: what holds its interactions together."""

    tier: ClassVar[Tier] = Tier.SESSION
    anchor: Anchor
    session_id: SessionId


@dataclass(frozen=True, slots=True)
class PersistentScope:
    """The anchor itself: it does not end."""

    tier: ClassVar[Tier] = Tier.PERSISTENT
    anchor: Anchor


Scope = InteractionScope | SessionScope | PersistentScope


def boundary_between(before: Scope, after: Scope) -> BoundaryKind | None:
    """Which kind of tier boundary lies between two scopes, if any."""
    if before == after:
        return None
    if before.anchor == after.anchor:
        escalates = after.tier.height > before.tier.height
        return BoundaryKind.ANCHOR_ESCALATION if escalates else BoundaryKind.LIFECYCLE_EVENT
    broader = set(after.anchor.parts) < set(before.anchor.parts)
    return BoundaryKind.ANCHOR_ESCALATION if broader else BoundaryKind.SCOPE_CHANGE
