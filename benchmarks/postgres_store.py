"""The Postgres store beside its peers: python -m benchmarks.postgres_store [--quick] [--prose FILE]

One server for all sides, on a disk, with fsync and synchronous_commit on. Lamina works as a role that row security
binds. Vectors are the bundled model's (256 numbers). Sides take turns within a run, and each figure is a median.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from benchmarks.choosing import chosen
from benchmarks.figures import Aim, show, within_ms
from benchmarks.guarding import Guarding
from benchmarks.postgres import ours
from benchmarks.postgres.nearest import measure_nearest
from benchmarks.postgres.server import running
from benchmarks.postgres.writing import measure_writing
from benchmarks.prose import sentences
from lamina.adapters.embedding.bundled import BundledEmbedder


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    bulk: int = 10_000
    bulk_rounds: int = 5
    singles: int = 200
    nearest: int = 100_000
    queries: int = 200
    rules: tuple[int, ...] = (1_000, 10_000)
    bodies: int = 60


QUICK = Sizes(bulk=1_000, bulk_rounds=1, singles=20, nearest=10_000, queries=20, rules=(100, 1_000), bodies=6)
"""To see that it runs. Its figures say nothing: a small anchor is searched without an index."""


def main() -> None:
    """Prints a table for each part, as it comes."""
    given = chosen(__doc__)
    sizes = QUICK if given.quick else Sizes()
    parts = sentences(given.prose)
    embedder = BundledEmbedder()
    embedder.query("load the model before the clock starts")
    started = perf_counter()
    with running() as server:
        show("Postgres: writing", measure_writing(server, embedder, sizes.bulk, sizes.singles, sizes.bulk_rounds))
        show("Postgres: searching", measure_nearest(server, embedder, sizes.nearest, sizes.queries))
        database = ours.migrated(server, embedder)
        with ours.memory(database, embedder) as memory:
            guarding = Guarding(memory, parts, {rules: _aim(rules) for rules in sizes.rules})
            database.settle()
            show(f"Postgres: guarding, with rules of {given.made_of}", guarding.figures(sizes.bodies))
    print(f"\nThe run took {perf_counter() - started:.0f} s.")


def _aim(rules: int) -> Aim:
    return within_ms(25) if rules <= 1_000 else within_ms(79, "to be beaten")


if __name__ == "__main__":
    main()
