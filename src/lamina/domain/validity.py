"""When something was so in the world, as distinct from when we recorded it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from lamina.domain.errors import InvertedValidity
from lamina.domain.instants import checked_instant

AHEAD: Final = timedelta(hours=1)
"""How far another's clock may be ahead of ours: what begins no later than this has begun."""


@dataclass(frozen=True, slots=True)
class Validity:
    """From `valid_at`, up to but not including `invalid_at`; open-ended while nothing ended it."""

    valid_at: datetime
    invalid_at: datetime | None = None

    def __post_init__(self) -> None:
        checked_instant(self.valid_at, "valid_at")
        if self.invalid_at is not None and checked_instant(self.invalid_at, "invalid_at") < self.valid_at:
            raise InvertedValidity(
                "validity",
                f"would end ({self.invalid_at.isoformat()}) before it began ({self.valid_at.isoformat()})",
                "give an end that is not earlier than the beginning",
            )

    def covers(self, instant: datetime) -> bool:
        """Whether it was so at that instant."""
        return self.valid_at <= instant and (self.invalid_at is None or instant < self.invalid_at)

    def is_to_come(self, now: datetime) -> bool:
        """Whether it is not so yet."""
        return self.valid_at - now > AHEAD

    def is_over(self, now: datetime) -> bool:
        """Whether it is so no longer."""
        return self.invalid_at is not None and self.invalid_at <= now

    def ending(self, invalid_at: datetime) -> Validity:
        """The same, ended no later than that; nor before it began: a fact ended by an older one was never valid."""
        end = max(invalid_at, self.valid_at)
        return Validity(self.valid_at, end if self.invalid_at is None else min(end, self.invalid_at))
