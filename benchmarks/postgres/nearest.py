"""The nearest 20 among the vectors of one anchor, beside a bare HNSW query over a plain table with the same vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import mean, median

import numpy as np

from benchmarks.corpus import texts
from benchmarks.figures import PUBLISHED, Aim, Figure, Setting, at_most
from benchmarks.postgres import ours
from benchmarks.postgres.nearest_tables import Plain, fill_ours, numbers_of, plain_table
from benchmarks.postgres.server import Server
from benchmarks.timing import interleaved
from lamina.domain.selection import Selection
from lamina.ports.embedder import Embedder
from lamina.ports.store import Store
from lamina.ports.unit_of_work import UnitOfWork

WANTED = 20
CHARACTERS = 120
ANCHOR = ours.anchor("kyc")
PLAIN = "SELECT id, vector <=> %s AS distance FROM plain ORDER BY distance LIMIT %s"


def measure_nearest(server: Server, embedder: Embedder, count: int, rounds: int) -> list[Figure]:
    """Both indexes have pgvector's own parameters, and both are searched as broadly (ef_search is 40)."""
    bodies = texts(count, CHARACTERS)
    vectors = embedder.documents(bodies)
    queries = embedder.documents(texts(rounds, CHARACTERS, seed=8))
    database = ours.migrated(server, embedder)
    fill_ours(database, embedder, ANCHOR, bodies, vectors)
    with plain_table(server.database(), vectors) as plain, closing(ours.store(database, embedder)) as store:
        return _Search(store, plain, embedder.model, queries, count).figures(_exact(vectors, queries))


@dataclass(frozen=True)
class _Search:
    store: Store
    plain: Plain
    model: str
    queries: Sequence[bytes]
    count: int

    def figures(self, exact: list[set[int]]) -> list[Figure]:
        whole = self._timed("and its transaction", [self._in_unit, self._in_transaction], PUBLISHED)
        with self.store.reading(ANCHOR) as unit, self.plain.transaction():
            inside = self._timed("in a transaction", [lambda number: self._ours(unit, number), self._bare], at_most(2))
        return [inside, whole, self._found(exact)]

    def _timed(self, where: str, acts: list[Callable[[int], object]], aim: Aim) -> Figure:
        lamina, bare = (median(taken) * 1_000 for taken in interleaved(acts, len(self.queries)))
        return Figure(f"nearest {WANTED}, {where}", self._setting, lamina, "bare HNSW", bare, "ms", aim)

    def _found(self, exact: list[set[int]]) -> Figure:
        right = [
            mean(len(search(number) & truth) for number, truth in enumerate(exact))
            for search in (self._in_unit, self._bare)
        ]
        return Figure(f"of the true {WANTED}, found", self._setting, right[0], "bare HNSW", right[1], "rows")

    @property
    def _setting(self) -> Setting:
        return Setting(rows=self.count, characters=CHARACTERS, rounds=len(self.queries), commit="none")

    def _ours(self, unit: UnitOfWork, number: int) -> set[int]:
        found = unit.candidates.nearest(self.queries[number], self.model, Selection(), WANTED)
        return {memory_id.int for memory_id in found}

    def _in_unit(self, number: int) -> set[int]:
        with self.store.reading(ANCHOR) as unit:
            return self._ours(unit, number)

    def _bare(self, number: int) -> set[int]:
        return {row[0] for row in self.plain.execute(PLAIN, [numbers_of(self.queries[number]), WANTED]).fetchall()}

    def _in_transaction(self, number: int) -> set[int]:
        with self.plain.transaction():
            return self._bare(number)


def _exact(vectors: Sequence[bytes], queries: Sequence[bytes]) -> list[set[int]]:
    matrix = np.stack([numbers_of(vector) for vector in vectors])
    return [set(np.argsort(-(matrix @ numbers_of(query)))[:WANTED].tolist()) for query in queries]
