"""Long-term memory (C): one compacted entry for each event of the log, found by its meaning and its words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lamina.domain.choices import choices
from lamina.domain.derivation import DerivationStatus, Progress
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.ids import checked_id
from lamina.domain.instants import checked_instant
from lamina.domain.text import is_blank

EntryId = EventId
"""One to one: an entry goes by the id of its event."""
LONGEST_ENTRY: Final = 1_000
"""Characters. What is longer stands in the log, one id away."""
_CUT: Final = " […] "


@dataclass(frozen=True, slots=True)
class LongTermEntry:
    """What is kept of one event to be found by. Its text is None until it was compacted."""

    id: EntryId
    """The event's own: an entry is that event, in few words."""
    position: int
    loop_id: LoopId
    ts: datetime
    kind: EventKind
    visibility: EventVisibility
    text: str | None
    progress: Progress


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events a query is about. What is not named is not asked for."""

    kinds: frozenset[EventKind] = frozenset(EventKind)
    visibilities: frozenset[EventVisibility] = frozenset(EventVisibility)
    loop_id: LoopId | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Before this moment."""

    def __post_init__(self) -> None:
        # Words as a caller types them are as good as the enums' own members.
        object.__setattr__(self, "kinds", choices(EventKind, self.kinds, "event kind"))
        object.__setattr__(self, "visibilities", choices(EventVisibility, self.visibilities, "visibility"))
        if self.loop_id is not None:
            checked_id(self.loop_id, "loop_id")
        for name in ("since", "until"):
            if getattr(self, name) is not None:
                checked_instant(getattr(self, name), name)


ANY_EVENT: Final = EventFilter()


def entry_of(logged: LoggedEvent, text: str | None, progress: Progress) -> LongTermEntry:
    """The entry of an event."""
    event = logged.event
    return LongTermEntry(
        EntryId(event.id),
        logged.position,
        event.loop_id,
        event.ts,
        event.kind,
        event.visibility,
        text,
        progress,
    )


def compacted(event: Event) -> str:
    """The default compaction: one line, its middle left out if it is long. What has no content says its metadata."""
    told = (" ".join(event.content.split()), event.metadata.text if event.metadata else "")
    # What nobody could see could not be kept either.
    said = next((text for text in told if not is_blank(text)), str(event.kind))
    short = shortened(said, LONGEST_ENTRY)
    return str(event.kind) if is_blank(short) else short


def shortened(text: str, most: int) -> str:
    """The text itself, or its beginning and its end: both say more than the middle."""
    if len(text) <= most:
        return text
    head = (most - len(_CUT)) * 2 // 3
    return text[:head] + _CUT + text[len(text) - (most - len(_CUT) - head) :]


NOT_TRIED: Final = Progress(DerivationStatus.PENDING_COMPACTION)
DONE: Final = Progress(DerivationStatus.DERIVED)
