"""Events to what long-term memory keeps of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.event import Event


class Compactor(Protocol):
    """A model, or a rule. It may fail: the events are logged already, and are tried again."""

    def compact(self, events: Sequence[Event]) -> Sequence[str]:
        """A text for each event, at most `long_term.LONGEST_ENTRY` characters, with something visible in it."""
        ...
