"""Time-ordered identifiers: UUID version 7, as RFC 9562 lays it out."""

from __future__ import annotations

import secrets
import threading
import time
from typing import TYPE_CHECKING
from uuid import UUID


class TimeOrderedIds:
    """48 bits of milliseconds, then 74 that are random; within a millisecond they count up from there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> UUID:
        """One more id, greater than each before it."""
        milliseconds = time.time_ns() // 1_000_000
        with self._lock:
            if milliseconds > self._last >> 74:
                # The highest of the random bits stays 0, so that counting up does not run into the next millisecond.
                self._last = milliseconds << 74 | secrets.randbits(73)
            else:
                self._last += 1
            return _version_7(self._last)


def _version_7(bits: int) -> UUID:
    """Puts the version and the variant where the standard wants them."""
    milliseconds, high, low = bits >> 74, bits >> 62 & 0xFFF, bits & (1 << 62) - 1
    return UUID(int=milliseconds << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low)


if TYPE_CHECKING:
    from lamina.ports.ids import Ids

    _: type[Ids] = TimeOrderedIds
