"""The audit posture (universal default): what may be removed is decided by what was done on its account."""

from __future__ import annotations

from lamina.domain.refusal import Refusal
from lamina.domain.tier import Tier


def may_remove(tier: Tier, *, scope_ended: bool, action_linked: bool) -> Refusal | None:
    """The only hard removal there is: transient, its scope ended, and nothing done on its account."""
    if action_linked:
        return Refusal("action-linkage", "an action was justified by it: it stays, whatever its tier")
    if not tier.transient:
        return Refusal("durability", "persistent memory is durable by definition: archive it instead")
    if not scope_ended:
        return Refusal("scope-inheritance", f"its {tier} is still open: it lives as long as its scope")
    return None
