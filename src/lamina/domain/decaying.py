"""What time has done to a record, by the decay model of its cell (P7)."""

from __future__ import annotations

from datetime import datetime, timedelta

from lamina.domain.instants import EPOCH
from lamina.domain.outline import Outline
from lamina.domain.policies.decay import DecayExempt, DecayModel, Standing
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology

_Key = tuple[Tier, Typology, int, bool, int | None]


class Decaying:
    """The weights of records at one moment. What was recorded together is asked about once."""

    def __init__(self, spec: AgentMemorySpec, now: datetime) -> None:
        self._spec = spec
        self._now = now
        self._models: dict[tuple[Tier, Typology], DecayModel] = {}
        self._known: dict[_Key, float] = {}

    def weight(self, one: Outline) -> float:
        """1 for what time has not touched, more for what presses for an outcome, less for what may be so no longer."""
        cell = (one.tier, one.typology)
        model = self._models.get(cell) or self._model(*cell)
        if isinstance(model, DecayExempt):
            return 1.0
        key = (*cell, one.recorded_at, one.disposed, one.confirmed_at)
        weight = self._known.get(key)
        if weight is None:
            weight = self._known[key] = model.weight(self._standing(one), self._now)
        return weight

    def _model(self, tier: Tier, typology: Typology) -> DecayModel:
        self._models[tier, typology] = self._spec.resolve(Cell(tier, typology)).decay
        return self._models[tier, typology]

    def _standing(self, one: Outline) -> Standing:
        confirmed_at = None if one.confirmed_at is None else _instant(one.confirmed_at)
        if confirmed_at and confirmed_at > self._now:
            # Asked as of an earlier time, when nobody had confirmed it yet.
            confirmed_at = None
        return Standing(_instant(one.recorded_at), confirmed_at, one.disposed)


def _instant(microseconds: int) -> datetime:
    return EPOCH + timedelta(microseconds=microseconds)
