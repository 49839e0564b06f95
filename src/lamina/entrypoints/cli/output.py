"""Standard output as the command line writes to it: it fails in words, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

from lamina.domain.errors import SettingsError


class Output(TextIOWrapper):
    """A character that it has not is escaped; what it cannot take is said as any other error is."""

    def write(self, text: str, /) -> int:
        """Takes the text, perhaps to pass it on later."""
        with _told():
            return super().write(text)

    def flush(self) -> None:
        """Passes on what it has."""
        with _told():
            super().flush()


def prepare_output() -> None:
    """Puts it in the place of standard output. Standard error escapes what it has not by itself."""
    before = sys.stdout
    if isinstance(before, TextIOWrapper):
        encoding, by_line, at_once = before.encoding, before.line_buffering, before.write_through
        sys.stdout = Output(before.detach(), encoding, "backslashreplace", None, by_line, at_once)


def let_go_of_output() -> None:
    """What cannot be written goes nowhere: Python would try it once more as it leaves, and say so in its own words."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except SettingsError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # A reader who has enough is no mistake: whoever prints ends quietly.
        raise
    except OSError as error:
        raise SettingsError(
            "standard output", f"cannot be written: {error.strerror}", "make room for it, or send it elsewhere"
        ) from error
