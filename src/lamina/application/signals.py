"""Revision signals: who wants to hear that a rule may want revision (D7)."""

from __future__ import annotations

from collections.abc import Callable

from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction

Listener = Callable[[Anchor, Contradiction], None]


class RevisionSignals:
    """Tells its listeners, after the step is committed. Whoever was not there finds them in the list by status."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """From now on it is told of every contradiction that becomes a revision signal in this process."""
        self._listeners.append(listener)

    def tell(self, anchor: Anchor, contradiction: Contradiction) -> None:
        """One has become a signal."""
        for listener in self._listeners:
            listener(anchor, contradiction)
