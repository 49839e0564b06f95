"""The sanitization gate of a proposed fact: what it is without identifiers, and what to object to (P9, P14)."""

from __future__ import annotations

from dataclasses import replace

from lamina.domain.claim import Claim
from lamina.domain.discipline import Gate
from lamina.domain.record import MemoryRecord
from lamina.domain.sanitization.identifiers import identifiers
from lamina.domain.sanitization.strip_identifiers import Placeholders, meaningless, stripped
from lamina.domain.spec import AgentMemorySpec


def sanitized(spec: AgentMemorySpec, proposed: MemoryRecord) -> tuple[MemoryRecord, str | None]:
    """The fact as it crosses, and what was changed, in words. One that the gate objects to stays as it is."""
    found = identifiers(proposed.body)
    if not found or not spec.crosses(Gate.STRIP_IDENTIFIERS) or concern(spec, proposed):
        return proposed, None
    kinds = ", ".join(sorted({one.kind for one in found}))
    body = stripped(proposed.body, found, Placeholders())
    if len(body) > spec.persistence.body_bound:
        return proposed, None
    return replace(proposed, body=body), f"{len(found)} identifiers stripped ({kinds})"


def concern(spec: AgentMemorySpec, proposed: MemoryRecord) -> str | None:
    """What the gate objects to: a claim about one deployment, or a pattern that is meaningless without its identifiers.

    Such a fact stays where it was seen.
    """
    if not spec.crosses(Gate.STRIP_IDENTIFIERS):
        return None
    if proposed.claim and _about_a_deployment(proposed.claim):
        return "its claim is about one deployment"
    found = identifiers(proposed.body)
    return meaningless(stripped(proposed.body, found, Placeholders())) if found else None


def _about_a_deployment(claim: Claim) -> bool:
    return any(identifiers(part) for part in (claim.subject, claim.aspect, claim.value))
