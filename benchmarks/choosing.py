"""What is said on a benchmark's command line."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Chosen:
    """How much is measured, and on which prose."""

    quick: bool
    prose: Path | None

    @property
    def made_of(self) -> str:
        """What rules are made of."""
        return "given prose" if self.prose else "random words"


def chosen(about: str | None) -> Chosen:
    """Reads it."""
    parser = ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="a part of the size, to see that it runs")
    parser.add_argument(
        "--prose",
        type=Path,
        default=os.environ.get("LAMINA_BENCH_PROSE"),
        help="a text or JSON file whose sentences rules are made of (or LAMINA_BENCH_PROSE); else the corpus's own",
    )
    given = parser.parse_args()
    return Chosen(given.quick, Path(given.prose) if given.prose else None)
