"""The World Agent: the explorer and proposer that lives in a world model. It reasons over rules, so its persistent
memory leans to the semantic, and the guard against shadow copies of rules is its primary defence."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from lamina.domain.anchor import AnchorKey, AnchorModel
from lamina.domain.defaults import Row
from lamina.domain.deviation import Deviation
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
from lamina.domain.policies.decay import ForcingFunction
from lamina.domain.retrieval import PINNED, RetrievalModel
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Boundary, BoundaryKind, Tier, TierModel
from lamina.domain.typology import Typology

WORLD_AGENT: Final = AgentMemorySpec(
    name="world_agent",
    purpose="Explores a world model, proposes rule candidates and answers operators' questions about it.",
    anchor=AnchorModel(
        keys=(
            AnchorKey(name="org_id"),
            AnchorKey(name="domain_id", nullable_across=True),
            AnchorKey(name="agent_session_id", nullable_across=True),
            AnchorKey(name="agent_interaction_id", nullable_across=True),
        )
    ),
    typology=FrozenMap(
        {
            Tier.INTERACTION: (Typology.EPISODIC,),
            Tier.SESSION: (Typology.EPISODIC,),
            Tier.PERSISTENT: (Typology.SEMANTIC, Typology.PROCEDURAL),
        }
    ),
    tiers=(
        TierModel(
            tier=Tier.INTERACTION,
            anchor=("org_id", "domain_id", "agent_session_id", "agent_interaction_id"),
            scope="chat thread or code-generation pass",
            boundaries=(Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="interaction-end"),),
        ),
        TierModel(
            tier=Tier.SESSION,
            anchor=("org_id", "domain_id", "agent_session_id"),
            scope="operator session, after its interaction window",
            boundaries=(
                Boundary(kind=BoundaryKind.LIFECYCLE_EVENT, event="session-end"),
                Boundary(kind=BoundaryKind.SCOPE_CHANGE, event="entering another domain"),
                Boundary(kind=BoundaryKind.ANCHOR_ESCALATION, event="promotion to the domain"),
            ),
        ),
        TierModel(tier=Tier.PERSISTENT, anchor=("org_id", "domain_id"), scope="the domain itself"),
    ),
    persistence=Persistence(
        schemas=FrozenMap({Tier.INTERACTION: "worlds", Tier.SESSION: "worlds", Tier.PERSISTENT: "worlds"}),
        prefix="world_agent",
        checkpointer_schema="langgraph",
        cross_context_reads="none by SQL: other contexts ask through WorldAgentRunner, injected at composition",
        canonical=CanonicalTable(
            schema_name="worlds",
            table="rules",
            id_column="rule_id",
            version_column="world_version",
            body_column="body_text",
            anchor_columns=FrozenMap({"org_id": "org_id", "domain_id": "domain_id"}),
        ),
    ),
    retrieval=RetrievalModel(
        signals=FrozenMap(
            {
                Signal.TAGS: 1.0,
                Signal.SEMANTIC: 1.0,
                Signal.TIME: 0.1,
                Signal.LEXICAL: 1.0,
                Signal.NEIGHBOURHOOD: 0.02,
            }
        ),
        tiers=FrozenMap({Tier.INTERACTION: 1.0, Tier.SESSION: 1.0, Tier.PERSISTENT: 1.0}),
        embedding=PINNED,
        because="Measured on long conversations (LoCoMo), vectors alone miss much of the evidence that words and "
        "neighbours find. Ranks are near to one another, so neighbours decide only between texts that answer alike: "
        "else what stands beside an answer would come before it.",
    ),
    decay=FrozenMap(
        {
            Row.SEMANTIC: Deviation(
                value=ForcingFunction(half_way=timedelta(days=30), ceiling=2.0),
                justification="The episodic-persistent default inherited at the semantic boundary: facts about a "
                "world are to be evaluated again, not to fade. Retention follows the validity window (D12).",
            )
        }
    ),
    reference_only=ReferenceOnly(
        non_mirror=(
            NonMirror(category=Canonical.RULE_CONTENT, refer_by="a rule reference with its version"),
            NonMirror(category=Canonical.AUDIT_CHAIN, refer_by="an action link"),
            NonMirror(category=Canonical.PERSONAL_DATA, refer_by="the customer record's own id"),
            NonMirror(category=Canonical.SIGNAL_BODIES, refer_by="the override-pattern signal's own id"),
            NonMirror(category=Canonical.OTHER_AGENT_MEMORY, refer_by="a question to the agent that owns it"),
            NonMirror(category=Canonical.SCAN_ARTIFACTS, refer_by="the scan artifact's own id"),
        ),
        leak_defence=LeakDefence(
            calibration=Calibration.PRIMARY,
            because="The agent reasons over rules to produce semantic claims: a shadow copy is close to every write.",
        ),
    ),
    sanitization=(
        Crossing(
            source="override-pattern signal aggregation",
            target="rule-candidate proposal",
            gate=Gate.STRIP_IDENTIFIERS,
            effect="deployment-specific identifiers are stripped, correlation by pattern is kept",
        ),
        Crossing(
            source="world agent memory",
            target="operator chat",
            gate=Gate.HEDGE_BY_PROVENANCE,
            effect="hedged by provenance; 'I don't know' is an answer where coverage is unknown",
        ),
        Crossing(
            source="world agent memory",
            target="customer chat",
            gate=Gate.CUSTOMER_SUBSET,
            effect="auth-scoped read-only tools over the customer's own world; no operator tools, no other domain",
        ),
    ),
    visibility=VisibilityModel(
        owner="worlds",
        access=(
            ReadAccess(reader=Reader.OWNER, through="a handle bound to (org_id, domain_id)"),
            ReadAccess(reader=Reader.OPERATOR, through="operator-mode chat, by ask_world_agent"),
            ReadAccess(
                reader=Reader.CUSTOMER, through="customer-mode chat over their own world, auth-scoped, read-only"
            ),
        ),
    ),
)
