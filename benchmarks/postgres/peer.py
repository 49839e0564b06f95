"""LangGraph's PostgresStore as its manual shows it, with the same embedder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np

from benchmarks.postgres.server import OWNER, Database
from lamina.ports.embedder import Embedder

NAMESPACE = ("acme", "kyc")
BATCH = 10_000
"""The fastest of 100, 1,000, 2,500 and 10,000 in both rounds of a trial with 10,000 rows."""


class Peer:
    """Writes texts by its public verbs."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._keys = map(str, count())

    def put_many(self, bodies: Sequence[str]) -> None:
        """All of them, in batches."""
        from langgraph.store.base import PutOp  # noqa: PLC0415 (a peer, installed for benchmarks only)

        for start in range(0, len(bodies), BATCH):
            chunk = bodies[start : start + BATCH]
            self._store.batch([PutOp(NAMESPACE, next(self._keys), {"text": body}) for body in chunk])

    def put(self, body: str) -> None:
        """One."""
        self._store.put(NAMESPACE, next(self._keys), {"text": body})


@contextmanager
def opened(database: Database, embedder: Embedder, kind: str = "hnsw") -> Iterator[Peer]:
    """An empty store; HNSW is the index that it makes unless it is told otherwise, `flat` is none."""
    from langgraph.store.postgres import PostgresStore  # noqa: PLC0415 (a peer, installed for benchmarks only)

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [np.frombuffer(vector, dtype=np.float32).tolist() for vector in embedder.documents(texts)]

    index: Any = {"dims": embedder.dimension, "embed": embed, "fields": ["text"], "ann_index_config": {"kind": kind}}
    with PostgresStore.from_conn_string(database.url(OWNER), index=index) as store:
        store.setup()
        yield Peer(store)
