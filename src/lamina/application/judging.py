"""Asking the judge: outside any transaction, and only about what the rules leave open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lamina.application.resources import Resources
from lamina.domain.ids import MemoryId
from lamina.domain.policies.conflict import Resolution, ruled
from lamina.domain.record import MemoryRecord
from lamina.ports.judge import Ruled

Version = tuple[MemoryId, int]
T = TypeVar("T")


class _Open(Exception):
    """The rules leave it open: the judge is asked, and all of it is done again."""

    def __init__(self, known: MemoryRecord, incoming: str) -> None:
        super().__init__(known.id)
        self.known = known
        self.incoming = incoming


class Rulings:
    """What the judge has said, about which version of which record: of another version it has said nothing."""

    def __init__(self, resources: Resources) -> None:
        self._judge = resources.judge
        self._said: dict[Version, Ruled] = {}

    def apply(self, resolution: Resolution, known: MemoryRecord | None, incoming: str) -> Resolution:
        """The resolution itself, unless it is open and there is a judge; nothing is written while it is asked."""
        if self._judge is None or known is None or not resolution.opens_contradiction:
            return resolution
        said = self._said.get((known.id, known.version))
        if said is None:
            raise _Open(known, incoming)
        return ruled(resolution, said.ruling, said.reason)

    def settled(self, act: Callable[[], T]) -> T:
        """What comes of the act; the judge is asked in between, as often as what it was asked about changes."""
        while True:
            try:
                return act()
            except _Open as left:
                assert self._judge is not None  # noqa: S101 (only with one is anything left to it)
                said = self._judge.compare(left.known.body, left.incoming)
                self._said[left.known.id, left.known.version] = said
