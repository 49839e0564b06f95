"""The DuckDB store beside its peers: python -m benchmarks.duckdb_store

One process, one anchor, 120-character bodies, bundled embeddings (256 numbers), a file on disk, every commit durable.
"""

from __future__ import annotations

import random
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np

import lamina
from benchmarks.corpus import texts, unit_vectors
from benchmarks.facts import fill
from benchmarks.timing import interleaved, median_ms, report
from lamina.adapters.duckdb.rule_postings import RulePostings
from lamina.adapters.duckdb.store import open_store
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.domain.references import RuleRef
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.ports.canonical_rules import Rule

SPEC = lamina.ASSISTANT_AGENT


def bulk_write(folder: Path, count: int = 10_000, rounds: int = 5) -> None:
    """10,000 memories at once, embedded and durable, beside Chroma's persistent client with the same vectors."""
    bodies = texts(count)
    embedder = BundledEmbedder()
    embedder.query("load the model before the clock starts")
    memories = [lamina.open(str(folder / f"{number}.duckdb"), embedder=embedder) for number in range(rounds)]
    collections = [_collection(folder / f"chroma {number}") for number in range(rounds)]
    observations = [lamina.Observation(body) for body in bodies]
    ours, theirs = interleaved(
        [
            lambda number: memories[number].at(user_id="u").session().observe_many(observations),
            lambda number: _add(collections[number], embedder, bodies),
        ],
        rounds,
    )
    for memory in memories:
        memory.close()
    report(f"bulk write of {count:,}", count / median(ours), count / median(theirs), "rows/s", wanted="5 or more")


def _collection(path: Path) -> Any:
    import chromadb  # noqa: PLC0415 (a peer, installed for benchmarks only)

    return chromadb.PersistentClient(str(path)).create_collection("memories")


def _add(collection: Any, embedder: BundledEmbedder, bodies: list[str]) -> None:
    vectors = [np.frombuffer(vector, dtype=np.float32) for vector in embedder.documents(bodies)]
    for start in range(0, len(bodies), 5_000):
        chunk = slice(start, start + 5_000)
        ids = [str(number) for number in range(*chunk.indices(len(bodies)))]
        collection.add(ids=ids, documents=bodies[chunk], embeddings=vectors[chunk])


def nearest(count: int = 100_000, dimension: int = 256) -> None:
    """The nearest 20 among 100,000 of one anchor, beside the bare product of that matrix."""
    matrix = unit_vectors(count, dimension)
    query = unit_vectors(1, dimension, seed=8)[0]
    anchor = SPEC.persistent_anchor.bind({"user_id": "u"})
    choice = EmbeddingChoice(model="random", dimension=dimension)
    with closing(open_store(":memory:", SPEC, choice)) as store:
        fill(store, anchor, choice.model, texts(count), [row.tobytes() for row in matrix])
        with store.reading(anchor) as unit:
            search = partial(unit.candidates.nearest, query.tobytes(), choice.model, Selection(), 20)
            ours = median_ms(search)
    report(f"nearest 20 of {count:,}", ours, median_ms(lambda: matrix @ query), "ms", wanted="1.5 or less")


def shadow_check(rules: int = 10_000, characters: int = 500) -> None:
    """The D8 check of a 500-character body against 10,000 rules of the anchor."""
    bodies = texts(rules, characters)
    postings = RulePostings([Rule(RuleRef(UUID(int=number), "v1"), body) for number, body in enumerate(bodies)])
    body = _shuffled(bodies[0])
    taken = median_ms(lambda: postings.closest(body))
    print(f"D8 check, {characters} characters against {rules:,} rules: {taken:.2f} ms (aim: 5 or less)")


def _shuffled(text: str) -> str:
    words = text.split()
    random.Random(1).shuffle(words)
    return " ".join(words)


def main() -> None:
    """Prints each figure."""
    with tempfile.TemporaryDirectory() as folder:
        bulk_write(Path(folder))
    nearest()
    shadow_check()


if __name__ == "__main__":
    main()
