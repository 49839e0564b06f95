"""The chain that shows whether a log was touched: each event carries a hash over itself and its predecessor's hash.

There is one chain for each anchor and persona. A hash is SHA-256 over these parts, each as UTF-8 or bytes, and each
preceded by its length as eight bytes, the highest first:

    "lamina.event.1", anchor id (16 bytes), persona, position (decimal), previous hash (32 bytes),
    event id (16 bytes), ts (microseconds since 1970 in UTC, decimal), loop id (16 bytes), kind, visibility, content,
    metadata (the JSON text as it is stored)

The previous hash of the first event is 32 zero bytes. The first part is the version of all this: whatever changes here
gets another, and events that are there keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from lamina.domain.errors import OutOfRange, WrongType
from lamina.domain.event import Event
from lamina.domain.ids import AnchorId
from lamina.domain.instants import EPOCH

VERSION: Final = b"lamina.event.1"
HASH_SIZE: Final = 32
BEGINNING: Final = bytes(HASH_SIZE)
"""What the first event of a chain follows."""
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Link:
    """How far a chain had come, and by which hash.

    Noted outside the store, it shows what the chain by itself cannot: that its end was taken away, or that all of it
    was written anew.
    """

    position: int
    hash: bytes

    def __post_init__(self) -> None:
        # It may come from a note of the user's: what comes from a store is of the right types.
        for name, given, kind in (("position", self.position, int), ("hash", self.hash, bytes)):
            if not isinstance(given, kind) or isinstance(given, bool):
                raise WrongType(f"{name} in a chain", f"is a {type(given).__name__}", "give what verify() told")
        _check_place(self.position, self.hash)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event in its place."""

    anchor_id: AnchorId
    event: Event
    position: int
    """0, 1, 2, ... in its chain."""
    previous: bytes
    hash: bytes

    def __post_init__(self) -> None:
        _check_place(self.position, self.previous, self.hash)

    @property
    def link(self) -> Link:
        """What the next event is chained to."""
        return Link(self.position, self.hash)


def chained(anchor_id: AnchorId, event: Event, position: int, previous: bytes) -> LoggedEvent:
    """The event in its place, with its hash."""
    return LoggedEvent(anchor_id, event, position, previous, hash_of(anchor_id, event, position, previous))


def continued(anchor_id: AnchorId, events: Iterable[Event], end: Link | None) -> list[LoggedEvent]:
    """The events in their places after the end of a chain, in order; after None they begin one."""
    run: list[LoggedEvent] = []
    for event in events:
        run.append(chained(anchor_id, event, end.position + 1 if end else 0, end.hash if end else BEGINNING))
        end = run[-1].link
    return run


def hash_of(anchor_id: AnchorId, event: Event, position: int, previous: bytes) -> bytes:
    """The hash of an event in a place, as the top of this file says."""
    parts = (
        VERSION,
        anchor_id.bytes,
        event.persona.value.encode(),
        b"%d" % position,
        previous,
        event.id.bytes,
        b"%d" % _microseconds(event.ts),
        event.loop_id.bytes,
        event.kind.value.encode(),
        event.visibility.value.encode(),
        event.content.encode(),
        event.metadata.text.encode(),
    )
    return sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts])).digest()


def _microseconds(ts: datetime) -> int:
    return (ts - EPOCH) // _MICROSECOND


def _check_place(position: int, *hashes: bytes) -> None:
    if position < 0:
        raise OutOfRange("position in a chain", f"is {position}", "count from 0")
    for one in hashes:
        if len(one) != HASH_SIZE:
            raise OutOfRange("hash in a chain", f"has {len(one)} bytes", "give a SHA-256 digest, which has 32")
