"""What ranking looks at of a record: so that only what is returned is read as a whole."""

from __future__ import annotations

from typing import NamedTuple

from lamina.domain.ids import MemoryId
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology


class Outline(NamedTuple):
    """A record without its words. Times are whole microseconds since 1970: there are many, and few are looked at."""

    id: MemoryId
    tier: Tier
    typology: Typology
    valid_at: int
    recorded_at: int
    disposed: bool
    """Whether the forcing function has let go of it."""
    session: int | None
    position: int
    """Where it was first observed, if it was: the number that the id of its session is, and the position in it."""
    characters: int
    labels: float
    """The share of the labels asked for that it has."""
    confirmations: int
    confirmed_at: int | None
    """How often it was confirmed, and when last."""
