"""What time has done to a record, by the decay model of its cell (P7)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from lamina.domain.instants import EPOCH
from lamina.domain.outline import Outline
from lamina.domain.policies.decay import Standing
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology

_MICROSECOND: Final = timedelta(microseconds=1)
_Key = tuple[Tier, Typology, int, bool, int | None]


class Decaying:
    """The weights of records at one moment. What was recorded together is asked about once."""

    def __init__(self, spec: AgentMemorySpec, now: datetime) -> None:
        self._spec = spec
        self._now = now
        self._known: dict[_Key, float] = {}

    def weight(self, one: Outline) -> float:
        """1 for what time has not touched, more for what presses for an outcome, less for what may be so no longer."""
        key = (one.tier, one.typology, one.recorded_at, one.disposed, one.confirmed_at)
        if key not in self._known:
            self._known[key] = self._asked(one)
        return self._known[key]

    def _asked(self, one: Outline) -> float:
        confirmed_at = None if one.confirmed_at is None else _instant(one.confirmed_at)
        if confirmed_at and confirmed_at > self._now:
            # Asked as of an earlier time, when nobody had confirmed it yet.
            confirmed_at = None
        standing = Standing(_instant(one.recorded_at), confirmed_at, one.disposed)
        return self._spec.resolve(Cell(one.tier, one.typology)).decay.weight(standing, self._now)


def _instant(microseconds: int) -> datetime:
    return EPOCH + microseconds * _MICROSECOND
