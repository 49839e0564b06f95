"""The registry of retention policies, for whoever has none of their own."""

from __future__ import annotations

from collections.abc import Iterator

from lamina.domain.errors import ImpossibleState
from lamina.domain.retention import RetentionPolicy


class RetentionPolicies:
    """What each agent's persistent tier has registered. Transient tiers register nothing: their scope ends them."""

    def __init__(self) -> None:
        self._of: dict[str, RetentionPolicy] = {}

    def register(self, policy: RetentionPolicy) -> None:
        """Takes one in. Two contexts cannot own one agent's memory, nor can it have two policies."""
        known = self._of.setdefault(policy.agent, policy)
        if known != policy:
            raise ImpossibleState(
                f"retention of {policy.agent}",
                f"is registered by {known.owner} otherwise",
                "open the agent's memory with one spec, or keep a registry for each",
            )

    def of(self, agent: str) -> RetentionPolicy | None:
        """One agent's, if it has registered."""
        return self._of.get(agent)

    def __iter__(self) -> Iterator[RetentionPolicy]:
        return iter(self._of.values())
