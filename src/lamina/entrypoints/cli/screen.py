"""What the commands print on."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lamina.domain.errors import LaminaError
from lamina.domain.quoting import on_one_line

out = Console(highlight=False, emoji=False)
WIDEST = 1_000
"""Columns. A table takes as many of them as it needs."""
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def in_full(table: Table) -> None:
    """A table of few columns: a terminal folds it into its width, and nothing else needs it narrower than it is."""
    width = None if out.is_terminal else WIDEST
    Console(highlight=False, emoji=False, width=width).print(table)


def shown(text: str) -> str:
    """What somebody wrote, as a part of a line: no markup of ours, and no command to the terminal."""
    return escape(on_one_line(text))


def complain(error: LaminaError) -> None:
    """An error as a person reads it, on standard error."""
    # Text, not markup: what a user wrote is shown as they wrote it.
    err.print(Text(str(error), style="red"))
