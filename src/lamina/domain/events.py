"""The words of event memory (C): personas, kinds of event, visibility, and the names of collections.

These are representations of what happened; tiers are durability. The two share nothing.
"""

from __future__ import annotations

import re
from enum import StrEnum

from lamina.domain.anchor import Anchor
from lamina.domain.errors import NotAName


class Persona(StrEnum):
    """Who speaks. The actor must never see or infer what the subconscious holds."""

    ACTOR = "actor"
    SUBCONSCIOUS = "subconscious"


class EventKind(StrEnum):
    """What happened."""

    USER_INPUT = "user_input"
    ACTOR_OUTPUT = "actor_output"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUBCONSCIOUS_PROMPT = "subconscious_prompt"
    SUBCONSCIOUS_OUTPUT = "subconscious_output"
    SYSTEM_EVENT = "system_event"
    ERROR = "error"


class EventVisibility(StrEnum):
    """How far it may travel, from the widest to the strictest."""

    PUBLIC = "public"
    INTERNAL = "internal"
    PRIVATE = "private"


def collection_of(anchor: Anchor, persona: Persona) -> str:
    """The collection of an agent: what its anchor is called by is the agent's id."""
    return collection_name(".".join(value for _, value in anchor.parts), persona)


def collection_name(agent_id: str, persona: Persona) -> str:
    """The name of a persona's long-term collection. It is data, never part of a statement."""
    if not re.fullmatch(r"(?!.*__)[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", agent_id):
        raise NotAName(
            f"agent_id {agent_id!r}",
            "cannot name a collection",
            "use letters, digits, '.', '-' and single '_', starting with a letter or digit, at most 100",
        )
    return f"{agent_id}__{persona}__ltm"
