"""Whose turn it is: one thread after another."""

from __future__ import annotations

import threading

from lamina.domain.errors import StoreError


class Turn:
    """A lock that refuses a thread which has it already, in place of waiting for ever."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._whose: int | None = None

    def __enter__(self) -> None:
        if self._whose == threading.get_ident():
            raise StoreError("file", "is at work in a unit of this thread", "end that unit first")
        self._lock.acquire()
        self._whose = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._whose = None
        self._lock.release()
