"""Identifiers as types: an id of one thing is never taken for an id of another."""

from __future__ import annotations

from typing import NewType
from uuid import UUID

from lamina.domain.errors import WrongType

AnchorId = NewType("AnchorId", UUID)
SessionId = NewType("SessionId", UUID)
InteractionId = NewType("InteractionId", UUID)
MemoryId = NewType("MemoryId", UUID)
EmbeddingId = NewType("EmbeddingId", UUID)
RuleId = NewType("RuleId", UUID)
CorroborationId = NewType("CorroborationId", UUID)
ContradictionId = NewType("ContradictionId", UUID)
DecisionId = NewType("DecisionId", UUID)


def checked_id(id_: UUID, where: str) -> UUID:
    """The id itself, if it is one and not its text."""
    if not isinstance(id_, UUID):
        raise WrongType(where, f"is a {type(id_).__name__}", "give a UUID")
    return id_
