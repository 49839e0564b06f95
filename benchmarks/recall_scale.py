"""Recall and injection of many memories: python -m benchmarks.recall_scale [--postgres 10000 100000 ...]

One process, bundled embeddings (256 numbers), limit 10, every signal. On Postgres as the role that row security binds,
each anchor with 10,000 memories, maintenance done. A figure stands beside what no search can do without, in one run.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np

import lamina
from benchmarks.corpus import unit_vectors
from benchmarks.episodes import fill, questions
from benchmarks.postgres.server import APPLICATION, OWNER, Database, running
from benchmarks.timing import seconds
from lamina.adapters.duckdb.store import open_store
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.adapters.postgres.store import open_store as open_postgres
from lamina.adapters.text.snowball import SnowballLexer
from lamina.domain.retrieval import BUNDLED
from lamina.domain.selection import Selection
from lamina.ports.store import Store

SPEC = lamina.ASSISTANT_AGENT
OF_ANCHOR = 10_000
ASKED = 60
NEAREST = 20


def main() -> None:
    """Every figure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--duckdb", type=int, nargs="*", default=[10_000, 100_000])
    arguments.add_argument("--postgres", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    chosen = arguments.parse_args()
    for count in chosen.duckdb:
        embedded(count)
    if chosen.postgres:
        served(sorted(chosen.postgres))


def embedded(count: int) -> None:
    """One anchor on DuckDB, beside the bare product of its vectors."""
    asked = questions(ASKED)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "many.duckdb")
        with closing(open_store(path, SPEC, BUNDLED)) as store:
            fill(store, SPEC.persistent_anchor.bind({"user_id": "0"}), BUNDLED, count, seed=1)
        matrix, query = unit_vectors(count, BUNDLED.dimension), unit_vectors(1, BUNDLED.dimension)[0]
        with lamina.open(path, SPEC) as memory:
            user = memory.at(user_id="0")
            product, recalled, injected = _taking_turns([lambda _: matrix @ query, user.recall, user.inject], asked)
    bare = median(product)
    aim = f"bare product {bare:.2f} ms; aim {2 * bare + 5:.1f} ms"
    _tell(f"DuckDB, {count:,} of one anchor: recall", recalled, aim)
    _tell(f"DuckDB, {count:,} of one anchor: inject", injected, f"aim {median(recalled) + 5:.1f} ms (recall + 5)")


def served(counts: Sequence[int]) -> None:
    """More and more anchors of one size on Postgres, beside the two statements that every recall needs."""
    with running() as server:
        database = server.database()
        lamina.migrate(database.url(OWNER), SPEC, grant_to=APPLICATION)
        filled = 0
        for count in counts:
            filled = _grow(database, filled, count // OF_ANCHOR)
            _ask(database, filled)


def _grow(database: Database, filled: int, wanted: int) -> int:
    """As one loads many at once: without the indexes on vectors, which are built over all of them in the end."""
    database.drop_near_indexes()
    with closing(open_postgres(database.url(APPLICATION), SPEC, BUNDLED)) as store:
        for number in range(filled, wanted):
            fill(store, SPEC.persistent_anchor.bind({"user_id": str(number)}), BUNDLED, OF_ANCHOR, seed=number + 1)
        while store.maintain(5_000):
            pass
    lamina.migrate(database.url(OWNER), SPEC, grant_to=APPLICATION)
    database.settle()
    return wanted


def _ask(database: Database, anchors: int) -> None:
    asked = questions(ASKED)
    with (
        lamina.open(database.url(APPLICATION), SPEC) as memory,
        closing(open_postgres(database.url(APPLICATION), SPEC, BUNDLED)) as store,
    ):
        user = memory.at(user_id=str(anchors // 2))
        near, words, recalled, injected = _taking_turns(
            [_nearest(store, anchors // 2), _matching(store, anchors // 2), user.recall, user.inject], asked
        )
    rows = anchors * OF_ANCHOR
    bare = [one + other for one, other in zip(near, words, strict=True)]
    aim = f"nearest-20 plus BM25 p95 {_p95(bare):.1f} ms; aim {2 * _p95(bare):.1f} ms at p95"
    _tell(f"Postgres, {rows:,} over {anchors} anchors: recall", recalled, aim)
    _tell(f"Postgres, {rows:,} over {anchors} anchors: inject", injected, f"recall p50 {median(recalled):.1f} ms")


def _nearest(store: Store, number: int) -> Callable[[str], object]:
    anchor, embedder = SPEC.persistent_anchor.bind({"user_id": str(number)}), BundledEmbedder()

    def act(text: str) -> object:
        with store.reading(anchor) as unit:
            return unit.candidates.nearest(embedder.query(text), BUNDLED.model, Selection(), NEAREST)

    return act


def _matching(store: Store, number: int) -> Callable[[str], object]:
    anchor, lexer = SPEC.persistent_anchor.bind({"user_id": str(number)}), SnowballLexer()

    def act(text: str) -> object:
        with store.reading(anchor) as unit:
            return unit.candidates.matching(lexer.lexemes([text])[0], Selection(), NEAREST)

    return act


def _taking_turns(acts: Sequence[Callable[[str], object]], asked: Sequence[str]) -> list[list[float]]:
    """The milliseconds of each act for each question, after one that does not count."""
    for act in acts:
        act(asked[0])
    taken: list[list[float]] = [[] for _ in acts]
    for text in asked:
        for act, times in zip(acts, taken, strict=True):
            times.append(1_000 * seconds(lambda act=act, text=text: act(text)))  # type: ignore[misc]
    return taken


def _p95(times: Sequence[float]) -> float:
    return float(np.quantile(times, 0.95))


def _tell(what: str, times: Sequence[float], beside: str) -> None:
    print(f"{what}: p50 {median(times):.1f} ms, p95 {_p95(times):.1f} ms ({beside})", flush=True)


if __name__ == "__main__":
    main()
