"""Whose turn it is: one thread after another."""

from __future__ import annotations

import threading

from lamina.domain.errors import StoreError


class Turn:
    """To be taken as `with turn.awaited(), turn:`. The lock itself is what `with` takes, in one step: in a method of
    ours that takes it, an interrupt could come before it is anybody's to give back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._whose: int | None = None

    def awaited(self) -> threading.Lock:
        """The lock, which is not given to a thread that has it already: that one would wait for ever."""
        if self._whose == threading.get_ident() and self._lock.locked():
            raise StoreError("file", "is at work in a unit of this thread", "end that unit first")
        return self._lock

    def __enter__(self) -> None:
        self._whose = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._whose = None
