"""Lamina: a memory for AI agents that can be held to account."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lamina.adapters.sources.local import LocalSource
    from lamina.application.anchored import AnchoredMemory
    from lamina.application.audit import Audit
    from lamina.application.backfill import Backfilled
    from lamina.application.corroborate import Source
    from lamina.application.hit import Hit
    from lamina.application.inject import Block
    from lamina.application.loop import ActorLoop
    from lamina.application.memory import AcrossMemory, Memory
    from lamina.application.observe import Observation
    from lamina.application.recalling import AsOfMemory
    from lamina.application.retention import RetentionPolicies
    from lamina.application.views import ActorMemoryView, SubconsciousMemoryView
    from lamina.composition import find_spec
    from lamina.composition.embedders import find_embedder
    from lamina.composition.migrating import migrate
    from lamina.composition.opening import open, open_actor  # noqa: A004 (what a user expects: lamina.open)
    from lamina.composition.reembedding import reembed
    from lamina.composition.rerankers import find_reranker
    from lamina.composition.snapshotting import snapshot
    from lamina.domain.agents import ASSISTANT_AGENT, CHAOS_AGENT, OPERATIONS_AGENT, WORLD_AGENT
    from lamina.domain.claim import Claim
    from lamina.domain.corroboration import SourceType
    from lamina.domain.deviation import Deviation
    from lamina.domain.dreaming import Dreamt
    from lamina.domain.errors import LaminaError, Refused, SpecError
    from lamina.domain.event import Event
    from lamina.domain.event_metadata import Metadata
    from lamina.domain.events import EventKind, EventVisibility, Persona
    from lamina.domain.long_term import EventFilter
    from lamina.domain.outcome import Decision, Outcome
    from lamina.domain.record import MemoryRecord
    from lamina.domain.references import RuleRef
    from lamina.domain.rendering import Manifest
    from lamina.domain.spec import AgentMemorySpec
    from lamina.domain.stm import Identity
    from lamina.domain.tier import Tier
    from lamina.domain.typology import Cell, Typology
    from lamina.entrypoints.worker import run_worker
    from lamina.ports.canonical_rules import Rule

__version__ = "0.1.0"

__all__ = [
    "ASSISTANT_AGENT",
    "CHAOS_AGENT",
    "OPERATIONS_AGENT",
    "WORLD_AGENT",
    "AcrossMemory",
    "ActorLoop",
    "ActorMemoryView",
    "AgentMemorySpec",
    "AnchoredMemory",
    "AsOfMemory",
    "Audit",
    "Backfilled",
    "Block",
    "Cell",
    "Claim",
    "Decision",
    "Deviation",
    "Dreamt",
    "Event",
    "EventFilter",
    "EventKind",
    "EventVisibility",
    "Hit",
    "Identity",
    "LaminaError",
    "LocalSource",
    "Manifest",
    "Memory",
    "MemoryRecord",
    "Metadata",
    "Observation",
    "Outcome",
    "Persona",
    "Refused",
    "RetentionPolicies",
    "Rule",
    "RuleRef",
    "Source",
    "SourceType",
    "SpecError",
    "SubconsciousMemoryView",
    "Tier",
    "Typology",
    "find_embedder",
    "find_reranker",
    "find_spec",
    "migrate",
    "open",
    "open_actor",
    "reembed",
    "run_worker",
    "snapshot",
]

# Where each public name lives. It is imported when it is first used: `import lamina` itself costs nothing.
_HOMES = {
    "lamina.adapters.sources.local": ["LocalSource"],
    "lamina.application.anchored": ["AnchoredMemory"],
    "lamina.application.audit": ["Audit"],
    "lamina.application.backfill": ["Backfilled"],
    "lamina.application.corroborate": ["Source"],
    "lamina.application.hit": ["Hit"],
    "lamina.application.inject": ["Block"],
    "lamina.application.loop": ["ActorLoop"],
    "lamina.application.memory": ["AcrossMemory", "Memory"],
    "lamina.application.observe": ["Observation"],
    "lamina.application.recalling": ["AsOfMemory"],
    "lamina.application.retention": ["RetentionPolicies"],
    "lamina.application.views": ["ActorMemoryView", "SubconsciousMemoryView"],
    "lamina.composition": ["find_spec"],
    "lamina.composition.embedders": ["find_embedder"],
    "lamina.composition.migrating": ["migrate"],
    "lamina.composition.opening": ["open", "open_actor"],
    "lamina.composition.reembedding": ["reembed"],
    "lamina.composition.rerankers": ["find_reranker"],
    "lamina.composition.snapshotting": ["snapshot"],
    "lamina.domain.agents": ["ASSISTANT_AGENT", "CHAOS_AGENT", "OPERATIONS_AGENT", "WORLD_AGENT"],
    "lamina.domain.claim": ["Claim"],
    "lamina.domain.corroboration": ["SourceType"],
    "lamina.domain.deviation": ["Deviation"],
    "lamina.domain.dreaming": ["Dreamt"],
    "lamina.domain.errors": ["LaminaError", "Refused", "SpecError"],
    "lamina.domain.event": ["Event"],
    "lamina.domain.event_metadata": ["Metadata"],
    "lamina.domain.events": ["EventKind", "EventVisibility", "Persona"],
    "lamina.domain.long_term": ["EventFilter"],
    "lamina.domain.outcome": ["Decision", "Outcome"],
    "lamina.domain.record": ["MemoryRecord"],
    "lamina.domain.rendering": ["Manifest"],
    "lamina.domain.references": ["RuleRef"],
    "lamina.domain.spec": ["AgentMemorySpec"],
    "lamina.domain.stm": ["Identity"],
    "lamina.domain.tier": ["Tier"],
    "lamina.domain.typology": ["Cell", "Typology"],
    "lamina.entrypoints.worker": ["run_worker"],
    "lamina.ports.canonical_rules": ["Rule"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lamina' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
