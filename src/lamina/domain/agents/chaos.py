"""The event-memory agent: a perfect log of what happened, its compacted mirror and its summaries, for two personas that
are kept apart. What it learns from its loops is procedural."""

from __future__ import annotations

from typing import Final

from lamina.domain.anchor import AnchorKey, AnchorModel
from lamina.domain.discipline import (
    Calibration,
    Canonical,
    Crossing,
    LeakDefence,
    NonMirror,
    OnMatch,
    ReadAccess,
    Reader,
    ReferenceOnly,
    VisibilityModel,
)
from lamina.domain.frozen import FrozenMap
from lamina.domain.persistence import Persistence
from lamina.domain.retrieval import BUNDLED, RetrievalModel
from lamina.domain.scoring import WeightedScore
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec, EventMemory
from lamina.domain.tier import Boundary, BoundaryKind, Tier, TierModel
from lamina.domain.typology import Typology

CHAOS_AGENT: Final = AgentMemorySpec(
    name="chaos_agent",
    purpose="Does tasks in loops, logs every event of them, and learns from the log when it dreams.",
    anchor=AnchorModel(
        keys=(
            AnchorKey(name="agent_id"),
            AnchorKey(name="run_id", nullable_across=True),
            AnchorKey(name="loop_id", nullable_across=True),
        )
    ),
    typology=FrozenMap(
        {
            Tier.INTERACTION: (Typology.EPISODIC,),
            Tier.SESSION: (Typology.EPISODIC,),
            Tier.PERSISTENT: (Typology.PROCEDURAL,),
        }
    ),
    tiers=(
        TierModel(
            tier=Tier.INTERACTION,
            anchor=("agent_id", "run_id", "loop_id"),
            scope="one loop, from do(task) to its output",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="loop-end"),),
        ),
        TierModel(
            tier=Tier.SESSION,
            anchor=("agent_id", "run_id"),
            scope="one run of the agent",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="run-end"),),
        ),
        TierModel(tier=Tier.PERSISTENT, anchor=("agent_id",), scope="the agent"),
    ),
    persistence=Persistence(
        schemas=FrozenMap({Tier.INTERACTION: "chaos", Tier.SESSION: "chaos", Tier.PERSISTENT: "chaos"}),
        prefix="chaos_agent",
        cross_context_reads="none",
    ),
    retrieval=RetrievalModel(
        signals=FrozenMap(
            {
                Signal.TAGS: 0.5,
                Signal.SEMANTIC: 0.5,
                Signal.TIME: 0.1,
                Signal.LEXICAL: 1.0,
                Signal.NEIGHBOURHOOD: 0.5,
            }
        ),
        scoring=WeightedScore(),
        tiers=FrozenMap({Tier.INTERACTION: 1.0, Tier.SESSION: 1.0, Tier.PERSISTENT: 1.0}),
        embedding=BUNDLED,
        because="Tool calls and errors are found by their very words, and a result by the call beside it. Scores are "
        "added, as ranks would make what stands beside an answer count like the answer. The bundled model needs no "
        "download.",
    ),
    reference_only=ReferenceOnly(
        non_mirror=(
            NonMirror(category=Canonical.OTHER_AGENT_MEMORY, refer_by="a question to the agent that owns it"),
            NonMirror(category=Canonical.AUDIT_CHAIN, refer_by="the event's own id in the log"),
            NonMirror(
                category=Canonical.PERSONAL_DATA, refer_by="the event's own id in the log", on_match=OnMatch.REDACT
            ),
        ),
        leak_defence=LeakDefence(
            calibration=Calibration.BACKSTOP,
            because="The agent reasons with canonical content through tools; its log already holds what it saw.",
        ),
    ),
    sanitization=(
        Crossing(
            source="subconscious memory",
            target="actor prompt",
            gate="persona-wall",
            effect="nothing crosses: the actor's prompt is built from the actor's own memory only",
        ),
    ),
    visibility=VisibilityModel(
        owner="chaos",
        access=(ReadAccess(reader=Reader.OWNER, through="ActorMemoryView or SubconsciousMemoryView of one agent_id"),),
    ),
    event_memory=EventMemory(),
)
