"""The system's time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING


class SystemClock:
    """The time, in UTC."""

    def now(self) -> datetime:
        """This moment."""
        return datetime.now(UTC)


if TYPE_CHECKING:
    from lamina.ports.clock import Clock

    _: type[Clock] = SystemClock
