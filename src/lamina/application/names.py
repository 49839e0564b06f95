"""Which names the tags of an anchor were last seen to have: a guess, which whoever makes use of it checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lamina.domain.ids import AnchorId

MOST_ANCHORS: Final = 10_000
MOST_NAMES: Final = 1_000
_NONE: Final = frozenset[str]()


class KnownNames:
    """What was found of names, by anchor. It is bounded: what is forgotten is found again."""

    def __init__(self) -> None:
        self._names: dict[AnchorId, frozenset[str]] = {}

    def of(self, anchor: AnchorId) -> frozenset[str]:
        """The names that some tag of an anchor had when it was last asked."""
        return self._names.get(anchor, _NONE)

    def learn(self, anchor: AnchorId, asked: Iterable[str], there: frozenset[str]) -> None:
        """Takes in which of some values are names."""
        if len(self._names) >= MOST_ANCHORS:
            self._names.clear()
        whole = self.of(anchor).difference(asked) | there
        self._names[anchor] = whole if len(whole) <= MOST_NAMES else there
