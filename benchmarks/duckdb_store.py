"""The DuckDB store beside its peers: python -m benchmarks.duckdb_store [--quick] [--prose FILE]

One process, a file on a disk, every commit durable; bundled embeddings (256 numbers). Sides take turns within a run,
and each figure is a median.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

import lamina
from benchmarks.choosing import chosen
from benchmarks.corpus import texts, unit_vectors
from benchmarks.duckdb.holding import measure_holding
from benchmarks.duckdb.writing import measure_writing
from benchmarks.facts import fill
from benchmarks.figures import Figure, Setting, at_most, show, within_ms
from benchmarks.guarding import SPEC, Guarding
from benchmarks.prose import sentences
from benchmarks.timing import medians_ms
from lamina.adapters.duckdb.store import open_store
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection

DIMENSION = 256
WANTED = 20
CHARACTERS = 120


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    bulk: int = 10_000
    bulk_rounds: int = 7
    nearest: int = 100_000
    rules: tuple[int, ...] = (1_000, 10_000)
    rounds: int = 60


QUICK = Sizes(bulk=500, bulk_rounds=2, nearest=5_000, rules=(100,), rounds=5)
"""To see that it runs. Its figures say nothing."""


def measure_nearest(count: int, rounds: int) -> Figure:
    """The nearest 20 of one anchor, beside the bare product of that matrix: no selection, no order, no ids."""
    matrix, query = unit_vectors(count, DIMENSION), unit_vectors(1, DIMENSION, seed=8)[0]
    anchor = SPEC.persistent_anchor.bind({"org_id": "acme", "domain_id": "kyc"})
    choice = EmbeddingChoice(model="random", dimension=DIMENSION)
    with closing(open_store(":memory:", SPEC, choice)) as store:
        fill(store, anchor, choice.model, texts(count), [row.tobytes() for row in matrix])
        with store.reading(anchor) as unit:
            search = partial(unit.candidates.nearest, query.tobytes(), choice.model, Selection(), WANTED)
            ours, bare = medians_ms([search, lambda: matrix @ query], rounds)
    setting = Setting(rows=count, characters=CHARACTERS, rounds=rounds, commit="none")
    return Figure(f"nearest {WANTED}", setting, ours, "bare numpy product", bare, "ms", at_most(1.5))


def measure_guarding(path: Path, parts: list[str], sizes: Sizes) -> list[Figure]:
    """What the D8 check adds to a write to a file."""
    with lamina.open(str(path), SPEC, BundledEmbedder()) as memory:
        return Guarding(memory, parts, {rules: within_ms(5) for rules in sizes.rules}).figures(sizes.rounds)


def main() -> None:
    """Prints a table for each part, as it comes."""
    given = chosen(__doc__)
    sizes = QUICK if given.quick else Sizes()
    started = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        show("DuckDB: writing", measure_writing(Path(folder), sizes.bulk, sizes.bulk_rounds, CHARACTERS))
        show("DuckDB: searching", [measure_nearest(sizes.nearest, sizes.rounds)])
        guarding = measure_guarding(Path(folder) / "guarding.duckdb", sentences(given.prose), sizes)
        show(f"DuckDB: guarding, with rules of {given.made_of}", guarding)
        show("DuckDB: one process at a time", [measure_holding(Path(folder) / "held.duckdb", sizes.bulk_rounds)])
    print(f"\nThe run took {perf_counter() - started:.0f} s.")


if __name__ == "__main__":
    main()
