"""What time has done to a record, by the decay model of its cell (P7)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from lamina.domain.instants import EPOCH
from lamina.domain.outline import Outline
from lamina.domain.policies.decay import DecayModel, Standing
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology

_MICROSECOND: Final = timedelta(microseconds=1)


class Decaying:
    """The weights of records at one moment."""

    def __init__(self, spec: AgentMemorySpec, now: datetime) -> None:
        self._spec = spec
        self._now = now
        # Outlines have their times in whole microseconds: there are hundreds for each question.
        self._microseconds = (now - EPOCH) // _MICROSECOND
        self._models: dict[tuple[Tier, Typology], DecayModel] = {}

    def weight(self, one: Outline) -> float:
        """1 for what time has not touched, more for what presses for an outcome, less for what may be so no longer."""
        cell = (one.tier, one.typology)
        model = self._models.get(cell) or self._model(*cell)
        standing = Standing(self._since(one.recorded_at), self._confirmed(one.confirmed_at), one.disposed)
        return model.weight(standing, self._now)

    def _model(self, tier: Tier, typology: Typology) -> DecayModel:
        self._models[tier, typology] = self._spec.resolve(Cell(tier, typology)).decay
        return self._models[tier, typology]

    def _confirmed(self, at: int | None) -> timedelta | None:
        # Asked as of an earlier time, nobody had confirmed it yet.
        return None if at is None or at > self._microseconds else self._since(at)

    def _since(self, at: int) -> timedelta:
        return timedelta(microseconds=max(self._microseconds - at, 0))
