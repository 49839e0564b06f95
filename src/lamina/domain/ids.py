"""Identifiers as types: an id of one thing is never taken for an id of another."""

from __future__ import annotations

from typing import NewType
from uuid import UUID

AnchorId = NewType("AnchorId", UUID)
SessionId = NewType("SessionId", UUID)
InteractionId = NewType("InteractionId", UUID)
MemoryId = NewType("MemoryId", UUID)
EmbeddingId = NewType("EmbeddingId", UUID)
RuleId = NewType("RuleId", UUID)
CorroborationId = NewType("CorroborationId", UUID)
ContradictionId = NewType("ContradictionId", UUID)
DecisionId = NewType("DecisionId", UUID)
