"""Where persistent tiers register what ends and what ages their memory (D12)."""

from __future__ import annotations

from typing import Protocol

from lamina.domain.retention import RetentionPolicy


class RetentionRegistry(Protocol):
    """A platform's own registry honours this, and hears of every memory that is opened with it."""

    def register(self, policy: RetentionPolicy) -> None:
        """One agent's persistent tier, with the context that owns it. Registering the same again changes nothing."""
        ...
