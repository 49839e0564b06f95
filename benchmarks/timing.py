"""Timing, and how a figure is printed: always beside what it is compared with, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(act: Callable[[], object]) -> float:
    """How long one run takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def median_ms(act: Callable[[], object], runs: int = 30) -> float:
    """The median of some runs, in milliseconds, after one that does not count."""
    act()
    return statistics.median(seconds(act) for _ in range(runs)) * 1_000


def report(what: str, ours: float, theirs: float, unit: str, *, wanted: str) -> None:
    """One line: our figure, the other's, the ratio, and what was aimed at."""
    print(f"{what}: lamina {ours:,.2f} {unit}, other {theirs:,.2f} {unit}, ratio {ours / theirs:.2f} (aim: {wanted})")
