"""Time-ordered identifiers: UUID version 7, as RFC 9562 lays it out."""

from __future__ import annotations

import secrets
import threading
import time
from typing import TYPE_CHECKING, Final
from uuid import UUID

_VERSION_AND_VARIANT: Final = 0x7 << 76 | 0b10 << 62


class TimeOrderedIds:
    """48 bits of milliseconds, then 74 that are random; within a millisecond the last of them count up from there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> UUID:
        """One more id, greater than each before it."""
        milliseconds = time.time_ns() // 1_000_000
        with self._lock:
            if milliseconds > self._last >> 80:
                self._last = _version_7(milliseconds)
            else:
                self._last += 1
            number = self._last
        return UUID(int=number)


def _version_7(milliseconds: int) -> int:
    # The highest of the last 62 bits stays 0, so that counting up does not run into the variant.
    return milliseconds << 80 | secrets.randbits(12) << 64 | secrets.randbits(61) | _VERSION_AND_VARIANT


if TYPE_CHECKING:
    from lamina.ports.ids import Ids

    _: type[Ids] = TimeOrderedIds
