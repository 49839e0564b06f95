"""The Postgres store beside its peers: python -m benchmarks.postgres_store [--quick] [--prose FILE]

One server for all sides, on a disk, with fsync and synchronous_commit on. Lamina works as a role that row security
binds. Vectors are the bundled model's (256 numbers). Sides take turns within a run, and each figure is a median.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.figures import show
from benchmarks.postgres.nearest import measure_nearest
from benchmarks.postgres.rules import measure_rules
from benchmarks.postgres.server import running
from benchmarks.postgres.writing import measure_writing
from benchmarks.prose import sentences
from lamina.adapters.embedding.bundled import BundledEmbedder


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    bulk: int = 10_000
    bulk_rounds: int = 3
    singles: int = 200
    nearest: int = 100_000
    queries: int = 200
    rules: tuple[int, ...] = (1_000, 10_000)
    bodies: int = 60


QUICK = Sizes(bulk=1_000, bulk_rounds=1, singles=20, nearest=10_000, queries=20, rules=(100, 1_000), bodies=6)
"""To see that it runs. Its figures say nothing: a small anchor is searched without an index."""


def main() -> None:
    """Prints a table for each part, as it comes."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, to see that it runs")
    parser.add_argument(
        "--prose",
        type=Path,
        default=os.environ.get("LAMINA_BENCH_PROSE"),
        help="a text or JSON file whose sentences rules are made of (or LAMINA_BENCH_PROSE); else the corpus's own",
    )
    given = parser.parse_args()
    sizes = QUICK if given.quick else Sizes()
    parts = sentences(given.prose)
    embedder = BundledEmbedder()
    embedder.query("load the model before the clock starts")
    started = perf_counter()
    with running() as server:
        show("Postgres: writing", measure_writing(server, embedder, sizes.bulk, sizes.singles, sizes.bulk_rounds))
        show("Postgres: searching", measure_nearest(server, embedder, sizes.nearest, sizes.queries))
        made_of = "given prose" if given.prose else "random words"
        rules = measure_rules(server, embedder, parts, sizes.rules, sizes.bodies)
        show(f"Postgres: guarding, with rules of {made_of}", rules)
    print(f"\nThe run took {perf_counter() - started:.0f} s.")


if __name__ == "__main__":
    main()
