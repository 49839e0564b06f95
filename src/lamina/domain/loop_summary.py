"""Short-term memory (C): one summary for each loop, with the entries that it covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lamina.domain.derivation import DerivationStatus, Progress
from lamina.domain.errors import ImpossibleState
from lamina.domain.event import Event, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.long_term import EntryId, shortened
from lamina.domain.loop_state import BEGINS, ENDS, Phase, state_after
from lamina.domain.text import checked_text, folded, is_blank

LONGEST_SUMMARY: Final = 1_000
_PART: Final = 300
_STRICTNESS: Final = {visibility: place for place, visibility in enumerate(EventVisibility)}


@dataclass(frozen=True, slots=True)
class LoopSummary:
    """What is kept of one loop. Its text is None until it was summarised."""

    loop_id: LoopId
    phase: Phase
    last_position: int
    """Of the last event that it covers. A loop that went on is summarised again."""
    last_ts: datetime
    kind: EventKind
    """Of its last event."""
    visibility: EventVisibility
    """The strictest of its events."""
    covers: tuple[EntryId, ...]
    """The long-term entries of its events, in order."""
    text: str | None
    progress: Progress


def summary_of(run: Sequence[LoggedEvent], text: str | None, progress: Progress) -> LoopSummary:
    """The summary of a loop, of all that was logged of it."""
    if not run:
        raise ImpossibleState("summary", "is of no event", "summarise a loop that has begun")
    last = run[-1]
    return LoopSummary(
        last.event.loop_id,
        state_after(last.event.persona, (one.event for one in run)).phase,
        last.position,
        last.event.ts,
        last.event.kind,
        max((one.event.visibility for one in run), key=_STRICTNESS.__getitem__),
        tuple(one.event.id for one in run),
        None if text is None else checked_text(text, f"summary of loop {last.event.loop_id}", at_most=LONGEST_SUMMARY),
        progress,
    )


def summarised(events: Sequence[Event]) -> str:
    """The default summary: what was asked, which tools were used, what went wrong, and what came of it."""
    said = shortened("; ".join(_parts(events)), LONGEST_SUMMARY)
    return "nothing was said" if is_blank(said) else said


def _parts(events: Sequence[Event]) -> Iterator[str]:
    yield from _said(events, BEGINS.values())
    used = Counter(_tool(event) for event in events if event.kind is EventKind.TOOL_CALL)
    if used:
        named = ", ".join(name if times == 1 else f"{name} x{times}" for name, times in used.items())
        yield f"used {shortened(named, _PART)}"
    yield from (f"error: {said}" for said in _said(events, [EventKind.ERROR]))
    yield from _said(events, ENDS.values())
    if not any(event.kind in ENDS.values() for event in events):
        yield from _said(events[-1:], [EventKind.SYSTEM_EVENT])


def _said(events: Sequence[Event], kinds: Collection[EventKind]) -> Iterator[str]:
    for event in events:
        line = " ".join(event.content.split()) if event.kind in kinds else ""
        if line:
            yield shortened(line, _PART)


def _tool(event: Event) -> str:
    name = event.metadata.get("tool")
    return name if isinstance(name, str) else shortened(" ".join(event.content.split()), 60) or "a tool"


def normalized(text: str) -> str:
    """A text as fuzzy search compares it: letters and digits, in one case, with single blanks."""
    return " ".join("".join(one if one.isalnum() else " " for one in folded(text)).split())


NOT_SUMMARISED: Final = Progress(DerivationStatus.PENDING_SUMMARY)
