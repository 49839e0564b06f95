"""Timing, and how a figure is printed: always beside what it is compared with, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial


def seconds(act: Callable[[], object]) -> float:
    """How long one run takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def median_ms(act: Callable[[], object], runs: int = 30) -> float:
    """The median of some runs, in milliseconds, after one that does not count."""
    act()
    return statistics.median(seconds(act) for _ in range(runs)) * 1_000


def interleaved(acts: Sequence[Callable[[int], object]], rounds: int) -> list[list[float]]:
    """The seconds of each act in each round. They take turns: what else the machine does meets all of them alike."""
    taken: list[list[float]] = [[] for _ in acts]
    for number in range(rounds):
        for step in range(len(acts)):
            turn = (number + step) % len(acts)
            taken[turn].append(seconds(partial(acts[turn], number)))
    return taken


def report(what: str, ours: float, theirs: float, unit: str, *, wanted: str) -> None:
    """One line: our figure, the other's, the ratio, and what was aimed at."""
    print(f"{what}: lamina {ours:,.2f} {unit}, other {theirs:,.2f} {unit}, ratio {ours / theirs:.2f} (aim: {wanted})")
