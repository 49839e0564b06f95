"""Writing many, beside Chroma's persistent client with the same vectors. Embedding is part of it on both sides."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import lamina
from benchmarks.corpus import texts
from benchmarks.figures import Figure, Setting, at_least
from benchmarks.timing import interleaved
from benchmarks.writes import observe_many
from lamina.adapters.embedding.bundled import BundledEmbedder

PEERS_BATCH = 5_000
"""It takes no more at once."""


def measure_writing(folder: Path, count: int, rounds: int, characters: int) -> list[Figure]:
    """So many memories in each round, each time into an empty file."""
    bodies, embedder = texts(count, characters), BundledEmbedder()
    embedder.query("load the model before the clock starts")
    memories = [lamina.open(str(folder / f"{number}.duckdb"), embedder=embedder) for number in range(rounds)]
    collections = [_collection(folder / f"chroma {number}") for number in range(rounds)]
    ours, theirs = interleaved(
        [
            lambda number: observe_many(memories[number].at(user_id="u").session(), bodies),
            lambda number: _add(collections[number], embedder, bodies),
        ],
        rounds,
    )
    for memory in memories:
        memory.close()
    setting = Setting(rows=count, characters=characters, rounds=rounds)
    rates = (count / median(ours), "Chroma", count / median(theirs))
    return [Figure("bulk write", setting, *rates, "rows/s", at_least(5))]


def _collection(path: Path) -> Any:
    import chromadb  # noqa: PLC0415 (a peer, installed for benchmarks only)

    return chromadb.PersistentClient(str(path)).create_collection("memories")


def _add(collection: Any, embedder: BundledEmbedder, bodies: list[str]) -> None:
    vectors = [np.frombuffer(vector, dtype=np.float32) for vector in embedder.documents(bodies)]
    for start in range(0, len(bodies), PEERS_BATCH):
        chunk = slice(start, start + PEERS_BATCH)
        ids = [str(number) for number in range(*chunk.indices(len(bodies)))]
        collection.add(ids=ids, documents=bodies[chunk], embeddings=vectors[chunk])
