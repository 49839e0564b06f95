"""A hundred thousand generated attempts to reach another tenant's memory, on each back end.

python -m benchmarks.isolation [--attempts 100000]
"""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack

import lamina
from benchmarks.postgres import ours
from benchmarks.postgres.server import APPLICATION, Server, running
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.testing.tenants import attack, settle, untouched

FACTS = 14


def main() -> None:
    """Attacks until there were enough attempts, each round on tenants of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    wanted = parser.parse_args().attempts
    embedder = HashingEmbedder()
    with ExitStack() as stack:
        server = stack.enter_context(running())
        for name in ("DuckDB", "Postgres"):
            _attack(name, server if name == "Postgres" else None, embedder, wanted)


def _attack(name: str, server: Server | None, embedder: HashingEmbedder, wanted: int) -> None:
    attempts, leaks, seed, began = 0, 0, 0, time.perf_counter()
    while attempts < wanted:
        url = ours.migrated(server, embedder).url(APPLICATION) if server else ":memory:"
        with lamina.open(url, ours.SPEC, embedder) as memory:
            tenants = settle(memory, FACTS, seed)
            tally = attack(tenants, seed + 1)
            leaks += len(tally.leaks) + len(untouched(tenants))
        attempts += tally.attempts
        seed += 2
    print(f"{name}: {leaks} leaks in {attempts:,} attempts ({time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
