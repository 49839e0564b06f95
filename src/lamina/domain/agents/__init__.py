"""The agents that are shipped, each one spec. `SHIPPED` finds them by name."""

from __future__ import annotations

from lamina.domain.agents.assistant import ASSISTANT_AGENT
from lamina.domain.agents.chaos import CHAOS_AGENT
from lamina.domain.agents.operations import OPERATIONS_AGENT
from lamina.domain.agents.world import WORLD_AGENT

__all__ = ["ASSISTANT_AGENT", "CHAOS_AGENT", "OPERATIONS_AGENT", "SHIPPED", "WORLD_AGENT"]

SHIPPED = {spec.name: spec for spec in (WORLD_AGENT, OPERATIONS_AGENT, CHAOS_AGENT, ASSISTANT_AGENT)}
