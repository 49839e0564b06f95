"""The ports that only event memory needs, with what stands behind them where there is no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lamina.domain.event import Event
from lamina.domain.long_term import compacted
from lamina.domain.loop_summary import summarised
from lamina.ports.compactor import Compactor
from lamina.ports.fuzzy import Fuzzy
from lamina.ports.summariser import Summariser
from lamina.ports.tokens import Tokens


class PlainCompactor:
    """The domain's own compaction: no model, always the same."""

    def compact(self, events: Sequence[Event]) -> list[str]:
        """A line for each event."""
        return [compacted(event) for event in events]


class PlainSummariser:
    """The domain's own summary: no model, always the same."""

    def summarise(self, events: Sequence[Event]) -> str:
        """What was asked, used and answered."""
        return summarised(events)


@dataclass(frozen=True, slots=True)
class EventTools:
    """The ports that only event memory needs."""

    fuzzy: Fuzzy
    tokens: Tokens
    compactor: Compactor
    summariser: Summariser
