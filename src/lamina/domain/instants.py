"""Points in time. There is no clock here: `now` is always an argument."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from lamina.domain.errors import NaiveTime, OutOfRange, WrongType

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_PATIENCE = timedelta(days=36_500)
"""A hundred years. What is far longer leads back to before there were dates."""


def checked_instant(instant: datetime, where: str) -> datetime:
    """The instant itself, if it names one moment everywhere."""
    if not isinstance(instant, datetime):
        raise WrongType(where, f"is a {type(instant).__name__}", "give a datetime with a time zone")
    if instant.tzinfo is not UTC and instant.utcoffset() is None:
        raise NaiveTime(where, f"({instant.isoformat()}) has no time zone", "add one, for example datetime.now(UTC)")
    return instant


def checked_patience(patience: timedelta, where: str) -> timedelta:
    """The duration itself, if so long ago can be a time."""
    if not isinstance(patience, timedelta):
        raise WrongType(where, f"is a {type(patience).__name__}", "give a timedelta")
    if not timedelta() <= patience <= LONGEST_PATIENCE:
        raise OutOfRange(where, f"is {patience}", "give a duration from nothing to a hundred years")
    return patience


def spoken(duration: timedelta) -> str:
    """A duration in the largest unit that says it well: 30 days, 12 hours, 90 seconds."""
    for unit, size in (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1))):
        if duration >= 2 * size or duration == size:
            return _counted(duration / size, unit)
    return _counted(duration / timedelta(seconds=1), "second")


def _counted(number: float, unit: str) -> str:
    return f"1 {unit}" if number == 1 else f"{number:.4g} {unit}s"


def elapsed(since: datetime, now: datetime) -> timedelta:
    """How long ago, never negative: a clock that went backwards makes nothing younger than new."""
    return max(now - since, timedelta())
