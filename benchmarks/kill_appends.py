"""Kills a process in the middle of its appends, again and again: python -m benchmarks.kill_appends [--times 100]

Each time a process logs loops to one store as fast as it can, and writes down the id of each event once it is
acknowledged; then it is killed with SIGKILL. In the end every event that was acknowledged is there, each chain
verifies, and one backfill brings derived memory to full coverage.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import lamina
from benchmarks.postgres.server import APPLICATION, OWNER, running
from lamina.adapters.embedding.hashing import HashingEmbedder

EMBEDDER = HashingEmbedder()
AGENT = "atlas"


@dataclass(frozen=True)
class Survived:
    """What was found after the kills."""

    kills: int
    acknowledged: int
    logged: int
    lost: int
    faults: int
    left: int
    interrupted: int

    @property
    def whole(self) -> bool:
        """Whether nothing was lost, touched or left."""
        return not (self.lost or self.faults or self.left) and self.acknowledged > 0


def load(url: str, acknowledged: str) -> None:
    """Logs loops for ever. What is acknowledged is flushed to the file at once."""
    with lamina.open(url, lamina.CHAOS_AGENT, EMBEDDER) as memory, Path(acknowledged).open("a") as said:
        atlas = memory.at(agent_id=AGENT)
        while True:
            with atlas.loop() as loop:
                for outcome in _one_loop(loop):
                    said.write(f"{outcome.id}\n")
                    said.flush()


def _one_loop(loop: lamina.ActorLoop) -> Iterator[lamina.Outcome]:
    yield loop.user_input("Where is the harbour?")
    for number in range(3):
        call = loop.tool_call("search", {"for": f"harbour {number}"})
        yield call.outcome
        yield call.result("in the north")
    yield loop.actor_output("In the north")


def kill_again_and_again(url: str, times: int, folder: Path, longest: float = 0.3) -> Survived:
    """So many processes, each killed after it has logged for a moment."""
    acknowledged = folder / "acknowledged"
    command = [sys.executable, "-m", "benchmarks.kill_appends", "--load", url, str(acknowledged)]
    chance = random.Random(7)
    for _ in range(times):
        process = subprocess.Popen(command, cwd=Path(__file__).parents[1])
        before = _size(acknowledged)
        while _size(acknowledged) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, longest))
        process.send_signal(signal.SIGKILL)
        process.wait()
    return _survived(url, times, acknowledged)


def _survived(url: str, times: int, acknowledged: Path) -> Survived:
    # The last line may have been cut by the kill: it was not acknowledged.
    lines = acknowledged.read_text().splitlines()
    ids = [UUID(line) for line in lines if len(line) == 36]
    with lamina.open(url, lamina.CHAOS_AGENT, EMBEDDER) as memory:
        atlas = memory.at(agent_id=AGENT)
        view = atlas.actor_view()
        lost = sum(view.get_by_id(id_) is None for id_ in ids)
        done = memory.backfill(interrupted_after=timedelta(0))
        verified = atlas.verify()
        again = memory.backfill(interrupted_after=timedelta(0))
    return Survived(
        times,
        len(ids),
        verified[0].events,
        lost,
        sum(len(one.faults) for one in verified),
        len(done.left) + again.entries + again.summaries,
        done.interrupted,
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def main() -> None:
    """Both back ends in turn."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--load", nargs=2, metavar=("URL", "FILE"))
    given = parser.parse_args()
    if given.load:
        load(*given.load)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.duckdb")
        _show("DuckDB", kill_again_and_again(path, given.times, Path(folder)))
    with running() as server, tempfile.TemporaryDirectory() as folder:
        database = server.database()
        lamina.migrate(database.url(OWNER), lamina.CHAOS_AGENT, EMBEDDER, grant_to=APPLICATION)
        _show("Postgres", kill_again_and_again(database.url(APPLICATION), given.times, Path(folder)))


def _show(where: str, survived: Survived) -> None:
    print(f"{where}: {'whole' if survived.whole else 'BROKEN'}, {survived}", flush=True)


if __name__ == "__main__":
    main()
