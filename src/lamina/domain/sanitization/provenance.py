"""How well a memory is founded, in one word: what an answer is hedged by."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from lamina.domain.contradiction import Contradiction, ContradictionStatus
from lamina.domain.corroboration import Corroboration, SourceType, independent, last_confirmed
from lamina.domain.policies.decay import DecayModel, Standing
from lamina.domain.record import MemoryRecord
from lamina.domain.typology import Typology

STILL_SO = 0.5
"""Below this weight of its decay model, a fact is stale: it was not confirmed for a whole half-life."""


class Provenance(StrEnum):
    """From the best founded to the least."""

    ESTABLISHED = "established"
    """Promoted, and corroborated by independent sources."""
    STATED = "stated"
    """A preference, as somebody stated it."""
    SINGLE_SOURCE = "single-source"
    OBSERVED = "observed"
    """An episode: it was seen, and nothing more is claimed."""
    INFERRED = "inferred"
    """The agent concluded it; nobody confirmed it."""
    STALE = "stale"
    CONTRADICTED = "contradicted"


def provenance(
    record: MemoryRecord,
    spoken: Iterable[Corroboration],
    disputes: Iterable[Contradiction],
    window: DecayModel,
    now: datetime,
) -> Provenance:
    """What holds of a record now; what speaks against it comes first. `window` is its retention's decay model."""
    confirming = [one for one in spoken if one.confirms]
    if any(one.status is not ContradictionStatus.DISMISSED for one in disputes):
        return Provenance.CONTRADICTED
    if record.typology is Typology.EPISODIC:
        return Provenance.OBSERVED
    if window.weight(Standing.at(now, record.recorded_at, last_confirmed(confirming), disposed=True), now) < STILL_SO:
        return Provenance.STALE
    if confirming and all(one.source_type is SourceType.AGENT_INFERENCE for one in confirming):
        return Provenance.INFERRED
    if record.typology is Typology.PROCEDURAL:
        return Provenance.STATED
    return Provenance.ESTABLISHED if independent(confirming) > 1 else Provenance.SINGLE_SOURCE
