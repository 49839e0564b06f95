"""Timing: sides take turns, so that what else the machine does meets all of them alike."""

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
    """The median of some runs of one act, in milliseconds, after one that does not count."""
    return medians_ms([act], runs)[0]


def medians_ms(acts: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median of each act, in milliseconds, after a turn that does not count. They take turns."""
    for act in acts:
        act()
    turns = [lambda _, act=act: act() for act in acts]
    return [statistics.median(taken) * 1_000 for taken in interleaved(turns, rounds)]


def interleaved(acts: Sequence[Callable[[int], object]], rounds: int) -> list[list[float]]:
    """The seconds of each act in each round. They take turns: what else the machine does meets all of them alike."""
    taken: list[list[float]] = [[] for _ in acts]
    for number in range(rounds):
        for step in range(len(acts)):
            turn = (number + step) % len(acts)
            taken[turn].append(seconds(partial(acts[turn], number)))
    return taken
