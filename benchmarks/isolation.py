"""A hundred thousand generated attempts to reach another tenant's memory, and as many to reach another persona's, on
each back end.

python -m benchmarks.isolation [--attempts 100000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import lamina
from benchmarks.postgres.server import APPLICATION, OWNER, Server, running
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.testing.personas import awaken, haunt
from lamina.testing.tenants import attack, settle, untouched

FACTS, THOUGHTS = 14, 100
EMBEDDER = HashingEmbedder()
Round = Callable[[lamina.Memory, int], tuple[int, int]]


def main() -> None:
    """Attacks until there were enough attempts, each round on a store of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    wanted = parser.parse_args().attempts
    with running() as server:
        for name, of in (("DuckDB", None), ("Postgres", server)):
            _attack(f"{name}, tenants", _tenants, lamina.WORLD_AGENT, of, wanted)
            _attack(f"{name}, personas", _personas, lamina.CHAOS_AGENT, of, wanted)


def _tenants(memory: lamina.Memory, seed: int) -> tuple[int, int]:
    tenants = settle(memory, FACTS, seed)
    tally = attack(tenants, seed + 1)
    return tally.attempts, len(tally.leaks) + len(untouched(tenants))


def _personas(memory: lamina.Memory, seed: int) -> tuple[int, int]:
    tally = haunt(awaken(memory, THOUGHTS, seed), seed + 1)
    return tally.attempts, len(tally.leaks)


def _attack(name: str, play: Round, spec: lamina.AgentMemorySpec, server: Server | None, wanted: int) -> None:
    attempts, leaks, seed, began = 0, 0, 0, time.perf_counter()
    while attempts < wanted:
        with lamina.open(_url(server, spec), spec, EMBEDDER) as memory:
            tried, leaked = play(memory, seed)
        attempts, leaks, seed = attempts + tried, leaks + leaked, seed + 2
    print(f"{name}: {leaks} leaks in {attempts:,} attempts ({time.perf_counter() - began:.0f} s)", flush=True)


def _url(server: Server | None, spec: lamina.AgentMemorySpec) -> str:
    if server is None:
        return ":memory:"
    database = server.database()
    keeps_rules = spec.persistence.canonical is not None
    lamina.migrate(database.url(OWNER), spec, EMBEDDER, create_canonical=keeps_rules, grant_to=APPLICATION)
    return database.url(APPLICATION)


if __name__ == "__main__":
    main()
