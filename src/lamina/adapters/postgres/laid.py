"""Sketches taken apart, kept while the same bytes come: an anchor is asked more often than it changes.

Nothing is taken on trust: the server sends all of them each time, under row security, and what was made of other bytes
is not used.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from lamina.adapters.postgres.sketches import Places, Sketches
from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.outline import Column

MOST_ANCHORS: Final = 64
"""Some two hundred bytes for each of their records."""


class Laid:
    """The records of some sketches, by columns, and where each of them is."""

    def __init__(self, cells: tuple[bool, ...], packed: bytes) -> None:
        """`cells` are those that are taken, as a selection says."""
        sketches = Sketches.of(packed)
        taken = sketches if all(cells) else sketches.only(np.array(cells)[sketches.columns["cell"]])
        self.of = cells, packed
        self.count = len(sketches)
        """How many there are, whether they are taken or not."""
        outlines = taken.outlines(taken.ids())
        # In the order in which they were observed: ranking looks at what stands side by side.
        order = outlines.spots.argsort(kind="stable")
        self.outlines = outlines.only(order)
        self.versions: Column = taken.columns["version"].astype(np.int64)[order]
        self.places = Places(self.outlines.ids)
        self._last = (b"", self.places.of(b""))

    def same(self, ids: bytes) -> Column:
        """The places of records whose ids mostly are those that were asked for last."""
        last, places = self._last
        if ids != last:
            places = self.places.of(ids)
            self._last = ids, places
        return places


class LaidLately:
    """What was laid out of the anchors that were asked last."""

    def __init__(self) -> None:
        self._laid: dict[AnchorId, Laid] = {}

    def ids(self, anchor: AnchorId) -> list[MemoryId]:
        """The records of an anchor that was asked lately."""
        laid = self._laid.get(anchor)
        return laid.outlines.ids.made() if laid else []

    def out(self, anchor: AnchorId, cells: tuple[bool, ...], packed: bytes) -> Laid:
        """The sketches of an anchor, taken apart."""
        laid = self._laid.pop(anchor, None)
        if laid is None or laid.of != (cells, packed):
            laid = Laid(cells, packed)
        # The last is the latest; threads that meet here at most take one apart twice.
        self._laid[anchor] = laid
        while len(self._laid) > MOST_ANCHORS:
            self._laid.pop(next(iter(self._laid)), None)
        return laid
