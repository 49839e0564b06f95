"""What time has done to a record, by the decay model of its cell (P7)."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER, Column, Outlines
from lamina.domain.policies.decay import MICROSECOND, Standing, WeighMany
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.typology import CELLS


class Decaying:
    """The weights of records at one moment."""

    def __init__(self, spec: AgentMemorySpec, now: datetime) -> None:
        self._spec = spec
        self._now = now

    def weights(self, outlines: Outlines) -> Column:
        """1 for what time has not touched, more for what presses for an outcome, less for what may be so no longer."""
        cells = outlines.cells
        if len(cells) and np.logical_and.reduce(cells == cells[0]):
            return self._weights(int(cells[0]), outlines, slice(None))
        weights = np.ones(len(outlines))
        for cell in set(cells.tolist()):
            here = cells == cell
            weights[here] = self._weights(cell, outlines, here)
        return weights

    def _weights(self, cell: int, outlines: Outlines, here: Column | slice) -> Column:
        """Of what is of one cell, by its model."""
        then = (self._now - EPOCH) // MICROSECOND
        ages, disposed = np.maximum(then - outlines.recorded_at[here], 0), outlines.disposed[here]
        # Asked as of an earlier time, nobody had confirmed it yet.
        confirmed_at = outlines.confirmed_at[here]
        known = confirmed_at <= then
        model = self._spec.resolve(CELLS[cell]).decay
        weights: WeighMany | None = getattr(model, "weights", None)
        if weights and not np.logical_or.reduce(known):
            return weights(ages, ages.copy(), disposed)
        confirmed = np.where(known, then - confirmed_at, NEVER)
        if weights:
            return weights(ages, np.minimum(ages, confirmed), disposed)
        each = zip(ages.tolist(), confirmed.tolist(), disposed.tolist(), strict=True)
        return np.array([model.weight(_standing(*one), self._now) for one in each])


def _standing(age: int, confirmed: int, disposed: int) -> Standing:
    return Standing(age * MICROSECOND, None if confirmed == NEVER else confirmed * MICROSECOND, bool(disposed))
