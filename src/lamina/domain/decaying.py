"""What time has done to a record, by the decay model of its cell (P7)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lamina.domain.instants import EPOCH
from lamina.domain.outline import Outlines
from lamina.domain.policies.decay import MICROSECOND, Ages, Confirmed, DecayModel, Standing, WeighsMany
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.typology import CELLS


class Decaying:
    """The weights of records at one moment."""

    def __init__(self, spec: AgentMemorySpec, now: datetime) -> None:
        self._spec = spec
        self._now = now

    def weights(self, outlines: Outlines) -> Sequence[float]:
        """1 for what time has not touched, more for what presses for an outcome, less for what may be so no longer."""
        then = (self._now - EPOCH) // MICROSECOND
        ages = [then - at if at < then else 0 for at in outlines.recorded_at]
        # Asked as of an earlier time, nobody had confirmed it yet.
        confirmed = [None if at is None or at > then else then - at for at in outlines.confirmed_at]
        # Each model is asked of all of them: of a few more is faster than to tell them apart.
        by_cell = {
            cell: self._weights(self._spec.resolve(CELLS[cell]).decay, ages, confirmed, outlines.disposed)
            for cell in set(outlines.cells)
        }
        if len(by_cell) == 1:
            return by_cell.popitem()[1]
        return [by_cell[cell][place] for place, cell in enumerate(outlines.cells)]

    def _weights(
        self, model: DecayModel, ages: Ages, confirmed: Confirmed, disposed: Sequence[bool]
    ) -> Sequence[float]:
        if isinstance(model, WeighsMany):
            return model.weights(ages, confirmed, disposed)
        return [
            model.weight(Standing(age * MICROSECOND, None if at is None else at * MICROSECOND, done), self._now)
            for age, at, done in zip(ages, confirmed, disposed, strict=True)
        ]
