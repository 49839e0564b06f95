"""The Operations Agent: works beside one operator. What it keeps is how that operator works, so its persistent memory
is procedural, and it reasons with rules through tools rather than over them."""

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
from lamina.domain.persistence import CanonicalTable, Persistence
from lamina.domain.retrieval import PINNED, RetrievalModel
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Boundary, BoundaryKind, Tier, TierModel
from lamina.domain.typology import Typology

OPERATIONS_AGENT: Final = AgentMemorySpec(
    name="operations_agent",
    purpose="Helps one operator at work, and remembers how that operator likes things done.",
    anchor=AnchorModel(
        keys=(
            AnchorKey(name="operator_id", nullable_across=True),
            AnchorKey(name="operator_session_id", nullable_across=True),
            AnchorKey(name="conversation_id", nullable_across=True),
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
            anchor=("operator_id", "operator_session_id", "conversation_id"),
            scope="chat thread",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="conversation-end"),),
        ),
        TierModel(
            tier=Tier.SESSION,
            anchor=("operator_id", "operator_session_id"),
            scope="operator session",
            boundaries=(
                Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="session-end"),
                Boundary(
                    kind=BoundaryKind.ANCHOR_ESCALATION, event="a preference of the session becomes the operator's"
                ),
            ),
        ),
        TierModel(tier=Tier.PERSISTENT, anchor=("operator_id",), scope="the operator"),
    ),
    persistence=Persistence(
        schemas=FrozenMap({Tier.INTERACTION: "operations", Tier.SESSION: "operations", Tier.PERSISTENT: "operations"}),
        prefix="operations_agent",
        checkpointer_schema="langgraph",
        cross_context_reads="none",
        canonical=CanonicalTable(
            schema_name="operations",
            table="rules",
            id_column="rule_id",
            version_column="version",
            body_column="body_text",
            anchor_columns=FrozenMap({"operator_id": "operator_id"}),
        ),
        corroborations=False,
        contradictions=False,
    ),
    retrieval=RetrievalModel(
        signals=FrozenMap({Signal.TIME: 2.0, Signal.TAGS: 1.0, Signal.SEMANTIC: 1.0}),
        tiers=FrozenMap({Tier.INTERACTION: 1.0, Tier.SESSION: 1.0, Tier.PERSISTENT: 1.5}),
        embedding=PINNED,
        because="Procedural-dominant memory weighs recency above similarity: the latest word on a preference counts.",
    ),
    reference_only=ReferenceOnly(
        non_mirror=(
            NonMirror(category=Canonical.RULE_CONTENT, refer_by="a rule reference with its version"),
            NonMirror(category=Canonical.OTHER_AGENT_MEMORY, refer_by="a question to the agent that owns it"),
            NonMirror(category=Canonical.AUDIT_CHAIN, refer_by="an action link"),
        ),
        leak_defence=LeakDefence(
            calibration=Calibration.BACKSTOP,
            because="The agent reasons with rules through tools: its own design is the primary defence, and the "
            "trigram guard stands behind it.",
        ),
    ),
    sanitization=(
        Crossing(
            source="operations agent memory",
            target="operator chat",
            gate=Gate.HEDGE_BY_PROVENANCE,
            effect="a preference is shown as what the operator said, with its date; what was inferred is hedged",
        ),
    ),
    visibility=VisibilityModel(
        owner="operations",
        access=(
            ReadAccess(reader=Reader.OWNER, through="a handle bound to operator_id"),
            ReadAccess(reader=Reader.OPERATOR, through="their own chat"),
        ),
    ),
)
