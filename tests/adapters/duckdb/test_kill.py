"""kill -9 at any point: the file opens, every acknowledged unit is there and whole, and the next can be written."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lamina.adapters.duckdb.store import open_store
from lamina.domain.selection import Selection
from lamina.testing.samples import EMBEDDING, SPEC, anchor, record, vector

WRITERS = """
import os, sys
from lamina.adapters.duckdb import checkpoints
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

# A checkpoint after each unit, so that many of the kills meet one.
checkpoints.LOG_LIMIT = 0

def write(number):
    print(os.getpid(), flush=True)
    store = open_store(sys.argv[1], SPEC, EMBEDDING)
    while True:
        with store.unit(anchor()) as unit:
            rows = 40 if number % 3 == 0 else 1
            unit.records.add([entry(record(f"{number} {part}"), 1, number, lexemes=["cite"]) for part in range(rows)])
        # In one piece: a line that a kill cuts in two would swallow the next.
        os.write(1, b"%d\\n" % number)
        number += 1

for line in sys.stdin:
    child = os.fork()
    if not child:
        write(int(line))
    os.waitpid(child, 0)
    print("ended", flush=True)
"""
MAKING = """
import resource, signal, sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
open_store(sys.argv[1], SPEC, EMBEDDING)
"""
"""Killed by the kernel at the first byte behind a place in the file."""
WHILE_OPENING, LATER, UNITS = 8, 12, 4
"""How many kills meet a file while it is opened, and how many after so many units."""
Writers = subprocess.Popen[str]


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[Writers]:
    """A process that starts one writer after another: each is there at once, as all is imported already."""
    command = [sys.executable, "-W", "ignore", "-c", WRITERS, str(tmp_path / "memory.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def killed(writers: Writers, first: int, units: int, delay: float) -> int:
    """A writer that begins with this unit, and is killed so long after it has written so many; the next unit."""
    assert writers.stdin is not None
    assert writers.stdout is not None
    print(first, file=writers.stdin, flush=True)
    pid = int(writers.stdout.readline())
    told = [writers.stdout.readline() for _ in range(units)]
    assert "ended\n" not in told, "it failed by itself"
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)
    while (line := writers.stdout.readline()) != "ended\n":
        assert line, "no more writers are started"
        told.append(line)
    return first + len(told)


@cache
def rows(number: int) -> frozenset[object]:
    """The ids of a unit."""
    return frozenset(record(f"{number} {part}").id for part in range(40 if number % 3 == 0 else 1))


def written(path: Path) -> frozenset[object]:
    """All that is there, as every way of asking says."""
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        found = set(unit.candidates.newest(Selection(), limit=10**6))
        assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, Selection(), limit=10**6)) == found
        assert set(unit.candidates.matching(["cite"], Selection(), limit=10**6)) == found
        assert set(unit.records.get(found)) == found
    store.close()
    return frozenset(found)


def test_every_acknowledged_write_survives_a_kill(tmp_path: Path, writers: Writers) -> None:
    draw, following = random.Random(20260101), 0
    for kill in range(WHILE_OPENING + LATER):
        units, delay = (0, 0.08) if kill < WHILE_OPENING else (UNITS, 0.04)
        acknowledged = killed(writers, following, units, draw.uniform(0, delay))
        found = written(tmp_path / "memory.duckdb")
        # The unit that nobody was told of is there as a whole, or not at all.
        following = acknowledged + (rows(acknowledged) <= found)
        assert found == set().union(*(rows(number) for number in range(following)))
    assert following > LATER * UNITS


@pytest.mark.parametrize("place", [0, 100, 4096, 8192, 12288])
def test_a_process_killed_while_it_makes_the_file_leaves_none_that_does_not_open(tmp_path: Path, place: int) -> None:
    path = tmp_path / "memory.duckdb"
    done = subprocess.run([sys.executable, "-c", MAKING, str(path), str(place)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGXFSZ, done.stderr
    assert written(path) == frozenset()
