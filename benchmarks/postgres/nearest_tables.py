"""The same vectors in Lamina's tables and in a plain one. The number of a vector is its id on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg.sql import SQL

from benchmarks.facts import BATCH, fill
from benchmarks.postgres import ours
from benchmarks.postgres.server import OWNER, Database
from lamina.domain.anchor import Anchor
from lamina.ports.embedder import Embedder

Plain = psycopg.Connection[tuple[Any, ...]]


def fill_ours(
    database: Database, embedder: Embedder, anchor: Anchor, bodies: list[str], vectors: Sequence[bytes]
) -> None:
    """All of them as facts of one anchor, and all maintenance done."""
    with closing(ours.store(database, embedder)) as store:
        fill(store, anchor, embedder.model, bodies, vectors)
    # Like the plain table's the index is built at once, with the same parameters.
    database.drop_near_indexes()
    ours.maintain(database, embedder, BATCH)
    ours.migrate(database, embedder)
    database.settle()


@contextmanager
def plain_table(database: Database, vectors: Sequence[bytes]) -> Iterator[Plain]:
    """A table of ids and vectors, with an HNSW index on it and nothing else to do."""
    with psycopg.connect(database.url(OWNER), autocommit=True) as connection:
        register_vector(connection)
        size = len(vectors[0]) // 4
        connection.execute(SQL("CREATE TABLE plain (id int8 PRIMARY KEY, vector vector({}) NOT NULL)").format(size))
        with connection.cursor().copy("COPY plain FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "vector"])
            for row in enumerate(map(numbers_of, vectors)):
                copy.write_row(row)
        connection.execute("CREATE INDEX ON plain USING hnsw (vector vector_cosine_ops)")
        database.settle()
        yield connection


def numbers_of(vector: bytes) -> np.ndarray[Any, Any]:
    """A vector as numpy has it."""
    return np.frombuffer(vector, dtype=np.float32)
