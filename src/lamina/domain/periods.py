"""Times that a query names: "in May 2023", "on 7 July", "2023-05-07". A time is one more label that it asks for.

Nothing is guessed: what may be another word or a name, as "may" and "April" are, is a time only beside a day, a year or
a word that leads a time in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.instants import EPOCH
from lamina.domain.outline import Column

TOLD: Final = timedelta(days=7)
"""How long after a thing it may still be told of: about a week."""
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SURE: Final = frozenset(_MONTHS) - {"march", "april", "may", "june", "august"}
_MOST: Final = 16
"""How many times of a query are looked at: a question names one or two."""
_MONTH: Final = "|".join([*_MONTHS, *(month[:3] for month in _MONTHS), "sept"])
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR: Final = r"(?:19|20)\d\d"
_NAMED: Final = re.compile(
    rf"""
    \b(?P<iso>{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?!\d)
    | (?:\b(?P<leading>in|on|during|of|from|early|late|mid)\s+(?:the\s+)?)?
      (?:
        \b(?:(?P<before>{_DAY})(?:st|nd|rd|th)?\s+(?:of\s+)?)?
        (?P<month>{_MONTH})\b
        (?:\s+(?P<after>{_DAY})(?:st|nd|rd|th)?\b)?
        (?:,?\s+(?P<year>{_YEAR})\b)?
        | (?<=\s)(?P<alone>{_YEAR})\b
      )
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_HINT: Final = re.compile(rf"(?<![a-z0-9_])(?:{'|'.join(month[:3] for month in _MONTHS)}|{_YEAR})", re.ASCII)
"""Most queries, in lower case, name no time, and are done with this."""
_MICROSECOND: Final = timedelta(microseconds=1)


class Period(NamedTuple):
    """A year, a month or a day, as far as it is said. Without a year, it is of any."""

    year: int | None
    month: int | None = None
    day: int | None = None


def periods(query: str) -> list[Period]:
    """The times that a query names, in order, each once."""
    if not _HINT.search(query.lower()):
        return []
    found = (_period(match) for match in _NAMED.finditer(query))
    return list(islice(dict.fromkeys(filter(None, found)), _MOST))


def _period(match: re.Match[str]) -> Period | None:
    said = match.groupdict()
    if said["iso"]:
        return Period(*map(int, said["iso"].split("-")))
    if said["alone"]:
        return Period(int(said["alone"])) if said["leading"] else None
    day = said["before"] or said["after"]
    if said["month"].lower() not in _SURE and not (said["leading"] or day or said["year"]):
        return None
    month = [name[:3] for name in _MONTHS].index(said["month"][:3].lower()) + 1
    return Period(int(said["year"]) if said["year"] else None, month, int(day) if day else None)


def within(some: Sequence[Period], valid_at: Column) -> Column:
    """For each time, as whole microseconds since 1970, in how many of the periods it is, or soon after one."""
    times: Column = np.zeros(len(valid_at), dtype=np.int64)
    for one in some if len(valid_at) else ():
        inside: Column = np.zeros(len(valid_at), dtype=np.bool_)
        for first, last in _spans(one, valid_at):
            inside |= (valid_at >= first) & (valid_at < last)
        times += inside
    return times


def _spans(one: Period, valid_at: Column) -> Iterator[tuple[int, int]]:
    """From when to when it lasts; without a year, in each year that there is something of, or was just before."""
    there = np.unique(valid_at.astype("M8[us]").astype("M8[Y]")).astype(int) + 1970
    for year in [one.year] if one.year else sorted({*there.tolist(), *(there - 1).tolist()}):
        try:
            begins = datetime(year, one.month or 1, one.day or 1, tzinfo=UTC)
            ends = _end(one, begins) + TOLD
        except (ValueError, OverflowError):
            # There is no such day in that year, or no such year.
            continue
        yield (begins - EPOCH) // _MICROSECOND, (ends - EPOCH) // _MICROSECOND


def _end(one: Period, begins: datetime) -> datetime:
    if one.day:
        return begins + timedelta(days=1)
    if one.month:
        return (begins + timedelta(days=31)).replace(day=1)
    return begins.replace(year=begins.year + 1)
