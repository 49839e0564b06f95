"""What the commands print on."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from lamina.domain.errors import LaminaError

out = Console(highlight=False)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def complain(error: LaminaError) -> None:
    """An error as a person reads it, on standard error."""
    # Text, not markup: what a user wrote is shown as they wrote it.
    err.print(Text(str(error), style="red"))
