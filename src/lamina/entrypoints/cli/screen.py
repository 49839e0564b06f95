"""What the commands print on."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from lamina.domain.errors import LaminaError
from lamina.domain.quoting import on_one_line

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def shown(text: str) -> str:
    """What somebody wrote, as a part of a line: no markup of ours, and no command to the terminal."""
    return escape(on_one_line(text))


def complain(error: LaminaError) -> None:
    """An error as a person reads it, on standard error."""
    # Text, not markup: what a user wrote is shown as they wrote it.
    err.print(Text(str(error), style="red"))
