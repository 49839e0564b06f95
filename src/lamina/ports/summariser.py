"""Loops to what short-term memory keeps of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.event import Event


class Summariser(Protocol):
    """A model, or a rule. It may fail: the loop is logged already, and is tried again."""

    def summarise(self, events: Sequence[Event]) -> str:
        """What one loop was about, at most `loop_summary.LONGEST_SUMMARY` characters."""
        ...
