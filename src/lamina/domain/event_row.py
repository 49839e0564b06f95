"""Events as flat rows and back: what both stores keep is the same by construction. The persona is the table's own."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from lamina.domain.errors import StoreError
from lamina.domain.event import Event
from lamina.domain.event_chain import LoggedEvent
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.ids import AnchorId

Row = dict[str, Any]
Word = TypeVar("Word", bound=StrEnum)


_BY_VALUE: Final[Mapping[type[StrEnum], Mapping[str, StrEnum]]] = {
    words: {word.value: word for word in words} for words in (EventKind, EventVisibility)
}
"""Looked up: an enum that is called by its value takes ten times as long, and a log is read by the thousand."""


def event_row(logged: LoggedEvent) -> Row:
    """Every column of a persona's events. Hashes are written out, so that anybody can compare them."""
    event = logged.event
    return {
        "anchor_id": logged.anchor_id,
        "position": logged.position,
        "id": event.id,
        "ts": event.ts,
        "loop_id": event.loop_id,
        "kind": event.kind.value,
        "visibility": event.visibility.value,
        "content": event.content,
        "metadata": event.metadata.text,
        "previous": logged.previous.hex(),
        "hash": logged.hash.hex(),
    }


def event_from(anchor_id: AnchorId, persona: Persona, row: Mapping[str, Any]) -> LoggedEvent:
    """The event that a row of a persona's table is. Whether it is what was written, the chain tells."""
    event = Event(
        id=row["id"],
        ts=row["ts"],
        persona=persona,
        loop_id=row["loop_id"],
        kind=_word(EventKind, row, "kind"),
        visibility=_word(EventVisibility, row, "visibility"),
        content=row["content"],
        metadata=Metadata.stored(row["metadata"]),
    )
    return LoggedEvent(anchor_id, event, row["position"], bytes.fromhex(row["previous"]), bytes.fromhex(row["hash"]))


def _word(words: type[Word], row: Mapping[str, Any], column: str) -> Word:
    try:
        return _BY_VALUE[words][row[column]]  # type: ignore[return-value]
    except KeyError as error:
        raise StoreError(
            f"event {row['id']}", f"has the {column} {row[column]!r}", "upgrade lamina, or look who wrote it"
        ) from error
