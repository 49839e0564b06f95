"""The time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Gives the time, with a time zone."""

    def now(self) -> datetime:
        """This moment."""
        ...
