"""Draws what `lamina demo` prints, for the README: python tools/demo_picture.py"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rich.console import Console

from lamina.entrypoints.cli import demo

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "demo.svg"
WIDTH = 132


class Wrapping(Console):
    """A terminal breaks long lines; a drawing would cut them off."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Whatever the command says of its lines."""
        super().print(*objects, **{**options, "soft_wrap": False})


def main() -> None:
    """Plays it on a console that remembers."""
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Wrapping(record=True, width=WIDTH, file=nowhere, force_terminal=True, highlight=False)
        vars(demo)["out"] = console
        demo.demo(store=None)
    drawn = console.export_svg(title="lamina demo", unique_id="demo")
    # The drawing stands by itself: no font is fetched from anywhere.
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", drawn, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
