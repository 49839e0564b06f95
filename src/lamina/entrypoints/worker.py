"""A worker: builds the memory once, works until it is told to stop, and closes cleanly (SIGTERM, SIGINT)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, Final

import structlog

from lamina.application.memory import Memory
from lamina.composition.opening import open as open_memory
from lamina.domain.errors import SettingsError
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.embedder import Embedder

_log = structlog.get_logger("lamina.worker")
Work = Callable[[Memory, threading.Event], None]
"""What a worker does. It returns when its work is done, or soon after the event is set."""
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def run_worker(
    work: Work, url: str | None = None, spec: AgentMemorySpec | None = None, embedder: Embedder | None = None
) -> None:
    """Opens the memory as `lamina.open` does, and does the work with it in the main thread.

    The first signal sets the event, so that the work can end what it has begun. A second one does not wait: it is
    raised inside the work as SystemExit. Either way the memory is closed.
    """
    stop = threading.Event()
    with _stopping(stop), open_memory(url, spec, embedder) as memory:
        work(memory, stop)


def maintenance(every: float, dream_every: float | None = None) -> Work:
    """The work of keeping indexes up to date, each so many seconds, and of dreaming, if so, each so many seconds."""

    def maintain(memory: Memory, stop: threading.Event) -> None:
        due = time.monotonic()
        while not stop.is_set():
            moved = memory.maintain()
            if moved:
                _log.info("rows moved into the indexes", rows=moved)
            if dream_every is not None and time.monotonic() >= due:
                _dream(memory)
                due = time.monotonic() + dream_every
            stop.wait(every)

    return maintain


def _dream(memory: Memory) -> None:
    report = memory.dream()
    done = {str(done).replace(" ", "_"): count for done, count in report.counts.items()}
    _log.info("dreamt", anchors=report.anchors, reviewed=report.reviewed, closed=report.sessions_closed, **done)


def find_work(name: str) -> Work:
    """The function that "package.module:function" names."""
    module, separator, function = name.partition(":")
    if not (module and separator and function):
        raise SettingsError(f"work {name!r}", "names no function", "write it as package.module:function")
    try:
        found: Any = getattr(import_module(module), function, None)
    except ImportError as error:
        raise SettingsError(
            f"work {name!r}", f"cannot be imported: {error}", "is it installed, or on the path?"
        ) from error
    if not callable(found):
        raise SettingsError(f"work {name!r}", "is no function", f"define {function}(memory, stop) in {module}")
    work: Work = found
    return work


@contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    def told(number: int, _: FrameType | None) -> None:
        if stop.is_set():
            raise SystemExit(128 + number)
        stop.set()

    before = {number: signal.signal(number, told) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
