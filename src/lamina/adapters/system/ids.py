"""Time-ordered identifiers: UUID version 7, as RFC 9562 lays it out."""

from __future__ import annotations

import secrets
import threading
import time
from typing import TYPE_CHECKING
from uuid import UUID

_RANDOM = (1 << 74) - 1


class TimeOrderedIds:
    """48 bits of milliseconds, then 74 that are random; within a millisecond they count up, so that order is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> UUID:
        """One more id, greater than each before it."""
        fresh = (time.time_ns() // 1_000_000 << 74) | (secrets.randbits(74) & _RANDOM >> 1)
        with self._lock:
            self._last = max(fresh, self._last + 1)
            return _version_7(self._last)


def _version_7(bits: int) -> UUID:
    """Puts the version and the variant where the standard wants them."""
    milliseconds, high, low = bits >> 74, bits >> 62 & 0xFFF, bits & (1 << 62) - 1
    return UUID(int=milliseconds << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low)


if TYPE_CHECKING:
    from lamina.ports.ids import Ids

    _: type[Ids] = TimeOrderedIds
