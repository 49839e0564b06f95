"""Time-ordered identifiers: UUID version 7, as RFC 9562 lays it out."""

from __future__ import annotations

import secrets
import threading
import time
from typing import TYPE_CHECKING, Final
from uuid import UUID

_LOW: Final = (1 << 62) - 1
_VERSION_AND_VARIANT: Final = 0x7 << 76 | 0b10 << 62


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
            bits = self._last
        return _version_7(bits)


def _version_7(bits: int) -> UUID:
    """Puts the version and the variant where the standard wants them."""
    return UUID(int=bits >> 74 << 80 | (bits >> 62 & 0xFFF) << 64 | bits & _LOW | _VERSION_AND_VARIANT)


if TYPE_CHECKING:
    from lamina.ports.ids import Ids

    _: type[Ids] = TimeOrderedIds
