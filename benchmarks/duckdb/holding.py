"""A file belongs to one process: how long a second one waits until it is told who holds it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

import lamina
from benchmarks.figures import Figure, Setting, within_ms
from lamina.adapters.embedding.hashing import HashingEmbedder

SECOND = """
import sys, time
import lamina
from lamina.adapters.duckdb import store
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import StoreInUse
embedder, started = HashingEmbedder(), time.perf_counter()
try:
    lamina.open(sys.argv[1], embedder=embedder)
except StoreInUse:
    print(time.perf_counter() - started)
"""


def measure_holding(path: Path, rounds: int) -> Figure:
    """From the call of `lamina.open` to its error, in a process that has imported what it needs."""
    with lamina.open(str(path), embedder=HashingEmbedder()):
        taken = median(_told(path) for _ in range(rounds)) * 1_000
    setting = Setting(rows=0, characters=0, rounds=rounds, commit="none")
    return Figure("a second opener is told", setting, taken, "a second", 1_000, "ms", within_ms(1_000), extra=taken)


def _told(path: Path) -> float:
    done = subprocess.run([sys.executable, "-c", SECOND, str(path)], capture_output=True, text=True, check=True)
    if not done.stdout:
        raise SystemExit("a second process opened the file: the figure would mean nothing")
    return float(done.stdout)
