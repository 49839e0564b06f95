"""The assistant: what most chat agents want, and the default. Episodes persist, press for an outcome as they age, and
become facts when they are corroborated."""

from __future__ import annotations

from typing import Final

from lamina.domain.anchor import AnchorKey, AnchorModel
from lamina.domain.discipline import (
    Calibration,
    Canonical,
    Crossing,
    Gate,
    LeakDefence,
    NonMirror,
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
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Boundary, BoundaryKind, Tier, TierModel
from lamina.domain.typology import Typology

ASSISTANT_AGENT: Final = AgentMemorySpec(
    name="assistant_agent",
    purpose="Talks with one user over many sessions, and remembers what was said, what is so and what they like.",
    anchor=AnchorModel(
        keys=(
            AnchorKey(name="user_id"),
            AnchorKey(name="session_id", nullable_across=True),
            AnchorKey(name="turn_id", nullable_across=True),
        )
    ),
    typology=FrozenMap(
        {
            Tier.INTERACTION: (Typology.EPISODIC,),
            Tier.SESSION: (Typology.EPISODIC,),
            Tier.PERSISTENT: (Typology.EPISODIC, Typology.SEMANTIC, Typology.PROCEDURAL),
        }
    ),
    tiers=(
        TierModel(
            tier=Tier.INTERACTION,
            anchor=("user_id", "session_id", "turn_id"),
            scope="one turn of the chat",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="turn-end"),),
        ),
        TierModel(
            tier=Tier.SESSION,
            anchor=("user_id", "session_id"),
            scope="one sitting",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="session-end"),),
        ),
        TierModel(tier=Tier.PERSISTENT, anchor=("user_id",), scope="the user"),
    ),
    persistence=Persistence(
        schemas=FrozenMap({Tier.INTERACTION: "lamina", Tier.SESSION: "lamina", Tier.PERSISTENT: "lamina"}),
        prefix="assistant",
        cross_context_reads="none",
        body_bound=4_000,
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
        because="In chat the words and what was said next to them find what vectors miss. How well a text answers "
        "counts, not only its rank, so scores are added. The static vectors of the bundled model, which needs no "
        "download, count half as much as words; recency decides between equals.",
    ),
    reference_only=ReferenceOnly(
        non_mirror=(NonMirror(category=Canonical.OTHER_AGENT_MEMORY, refer_by="a question to the agent that owns it"),),
        leak_defence=LeakDefence(
            calibration=Calibration.BACKSTOP,
            because="The assistant has no canonical corpus of its own; the guard is there for a spec that adds one.",
        ),
    ),
    sanitization=(
        Crossing(
            source="assistant memory",
            target="the user's chat",
            gate=Gate.HEDGE_BY_PROVENANCE,
            effect="hedged by provenance; 'I don't know' is an answer",
        ),
    ),
    visibility=VisibilityModel(
        owner="lamina",
        access=(ReadAccess(reader=Reader.OWNER, through="a handle bound to user_id"),),
    ),
)
