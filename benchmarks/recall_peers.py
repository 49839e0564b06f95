"""Recall on LoCoMo beside its peers, by time: python -m benchmarks.recall_peers locomo10.json

The same turns, the same bundled embeddings, the same server; limit 10. Each peer is asked as its manual shows, and its
embedding of the query is in its time, as ours is. They do one signal; Lamina does all of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import numpy as np

import lamina
from benchmarks.postgres.server import APPLICATION, OWNER, Database, running
from benchmarks.timing import seconds
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.entrypoints.bench.locomo import ANSWERABLE, Conversation, Question, read
from lamina.entrypoints.bench.running import write

LIMIT = 10
ROW = 20
EMBEDDER = BundledEmbedder()
Ask = Callable[[str], Any]
Tell = Callable[[Any], list[str]]
"""A question to what the side answers; and from that to the ids of the turns, which is not in its time."""
Side = tuple[Ask, Tell]


def main() -> None:
    """Every side asked the same, three times over: for the first time, in rows of questions, and in turn."""
    conversations = read(Path(sys.argv[1]))
    with running() as server, TemporaryDirectory() as folder, ExitStack() as stack:
        sides = {
            "lamina on DuckDB": stack.enter_context(_lamina(str(Path(folder) / "l.duckdb"), conversations, None)),
            "lamina on Postgres": stack.enter_context(_served(server.database(), conversations)),
            "Chroma, a collection for each user": stack.enter_context(_chroma(Path(folder), conversations)),
            "Chroma, one collection": stack.enter_context(_chroma_in_one(Path(folder), conversations)),
            "LangGraph InMemoryStore": stack.enter_context(_in_memory(conversations)),
            "LangGraph PostgresStore": stack.enter_context(_postgres_store(server.database(), conversations)),
            "mem0 on pgvector": stack.enter_context(_mem0(server.database(), conversations)),
        }
        _compare(sides, conversations)


def _compare(sides: dict[str, list[Side]], conversations: Sequence[Conversation]) -> None:
    first, found = _first(sides, conversations)
    in_a_row, in_turn = _in_a_row(sides, conversations), _in_turn(sides, conversations)
    print(f"p50 when first asked | p50 and p95, {ROW} questions in a row | every side in turn on each question")
    for name in sides:
        early = np.quantile(first[name], 0.5) * 1_000
        p50, p95 = np.quantile(in_a_row[name], [0.5, 0.95]) * 1_000
        turn50, turn95 = np.quantile(in_turn[name], [0.5, 0.95]) * 1_000
        print(
            f"{name}: {early:.2f} ms | {p50:.2f} ms, {p95:.2f} ms | {turn50:.2f} ms, {turn95:.2f} ms;"
            f" recall@10 {fmean(found[name]):.3f}",
            flush=True,
        )


def _first(
    sides: dict[str, list[Side]], conversations: Sequence[Conversation]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """How long each question takes that was never asked before, and the share of its evidence that is found."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    shares: dict[str, list[float]] = {name: [] for name in sides}
    for name, question, (ask, tell) in _rows(sides, conversations):
        answers: list[Any] = []
        times[name].append(seconds(lambda ask=ask, text=question.text, answers=answers: answers.append(ask(text))))  # type: ignore[misc]
        if question.category in ANSWERABLE:
            found = set(tell(answers[0]))
            shares[name].append(fmean(id_ in found for id_ in question.evidence))
    return times, shares


def _in_a_row(sides: dict[str, list[Side]], conversations: Sequence[Conversation]) -> dict[str, list[float]]:
    """As one who uses one of them asks."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for name, question, (ask, _) in _rows(sides, conversations):
        times[name].append(seconds(partial(ask, question.text)))
    return times


def _rows(sides: dict[str, list[Side]], conversations: Sequence[Conversation]) -> Iterator[tuple[str, Question, Side]]:
    """A few questions to one side, the same to the next, and so on: the pace of the machine meets all of them alike.
    Who begins changes from row to row."""
    for place, conversation in enumerate(conversations):
        for number, start in enumerate(range(0, len(conversation.questions), ROW)):
            for name in _from(number, sides):
                for question in conversation.questions[start : start + ROW]:
                    yield name, question, sides[name][place]


def _in_turn(sides: dict[str, list[Side]], conversations: Sequence[Conversation]) -> dict[str, list[float]]:
    """What else the machine does meets all of them alike, and each finds the processor's caches full of the others'."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for place, conversation in enumerate(conversations):
        for number, question in enumerate(conversation.questions):
            for name in _from(number, sides):
                times[name].append(seconds(partial(sides[name][place][0], question.text)))
    return times


def _from(number: int, sides: dict[str, list[Side]]) -> list[str]:
    first = number % len(sides)
    return [*list(sides)[first:], *list(sides)[:first]]


def _vectors(texts: Sequence[str]) -> list[list[float]]:
    return [np.frombuffer(vector, dtype=np.float32).tolist() for vector in EMBEDDER.documents(texts)]


def _turns(conversation: Conversation) -> dict[str, str]:
    return {turn.id: turn.text for sitting in conversation.sittings for turn in sitting.turns}


@contextmanager
def _lamina(url: str, conversations: Sequence[Conversation], database: Database | None) -> Iterator[list[Side]]:
    with lamina.open(url, spec=lamina.ASSISTANT_AGENT, embedder=EMBEDDER) as memory:
        written = write(memory, conversations, lambda words: print(words, file=sys.stderr))
        if database:
            database.settle()
        yield [_asking(memory.at(user_id=one.user_id), one.turns) for one in written]


def _asking(user: lamina.AnchoredMemory, turns: Any) -> Side:
    def tell(hits: Sequence[lamina.Hit]) -> list[str]:
        origins = (hit.record.origin for hit in hits)
        return [turns[origin.session_id, origin.position] for origin in origins if origin]

    return lambda text: user.recall(text, LIMIT), tell


@contextmanager
def _served(database: Database, conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    lamina.migrate(database.url(OWNER), lamina.ASSISTANT_AGENT, grant_to=APPLICATION)
    with _lamina(database.url(APPLICATION), conversations, database) as asks:
        yield asks


@contextmanager
def _chroma(folder: Path, conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    """Its fastest way: no user is looked at but the one who asks."""
    asks: list[Side] = []
    for number, conversation in enumerate(conversations):
        turns = _turns(conversation)
        collection = _collection(folder, f"user{number}")
        collection.add(ids=list(turns), documents=list(turns.values()), embeddings=_vectors(list(turns.values())))
        ask = lambda text, collection=collection: collection.query(query_embeddings=_vectors([text]), n_results=LIMIT)  # noqa: E731
        asks.append((ask, lambda answer: answer["ids"][0]))
    yield asks


@contextmanager
def _chroma_in_one(folder: Path, conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    """All users in one place, as every other side has them: told apart by a filter."""
    collection = _collection(folder, "users")
    asks: list[Side] = []
    for number, conversation in enumerate(conversations):
        turns, user = _turns(conversation), {"user": number}
        ids, texts = [f"{number} {id_}" for id_ in turns], list(turns.values())
        collection.add(ids=ids, documents=texts, embeddings=_vectors(texts), metadatas=[user] * len(turns))
        ask = lambda text, user=user: collection.query(query_embeddings=_vectors([text]), n_results=LIMIT, where=user)  # noqa: E731
        asks.append((ask, lambda answer: [id_.partition(" ")[2] for id_ in answer["ids"][0]]))
    yield asks


def _collection(folder: Path, name: str) -> Any:
    import chromadb  # noqa: PLC0415 (a peer, installed for benchmarks only)

    return chromadb.PersistentClient(str(folder / "chroma")).create_collection(name, metadata={"hnsw:space": "cosine"})


@contextmanager
def _in_memory(conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    from langgraph.store.memory import InMemoryStore  # noqa: PLC0415 (a peer)

    store = InMemoryStore(index={"dims": EMBEDDER.dimension, "embed": _vectors, "fields": ["text"]})
    yield _in_store(store, conversations)


@contextmanager
def _postgres_store(database: Database, conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    from langgraph.store.postgres import PostgresStore  # noqa: PLC0415 (a peer)

    index: Any = {"dims": EMBEDDER.dimension, "embed": _vectors, "fields": ["text"]}
    with PostgresStore.from_conn_string(database.url(OWNER), index=index) as store:
        store.setup()
        asks = _in_store(store, conversations)
        database.settle()
        yield asks


def _in_store(store: Any, conversations: Sequence[Conversation]) -> list[Side]:
    from langgraph.store.base import PutOp  # noqa: PLC0415 (a peer)

    asks: list[Side] = []
    for number, conversation in enumerate(conversations):
        space = ("users", str(number))
        # It counts equal texts of one batch once, and then misses vectors: each goes in by itself.
        for id_, text in _turns(conversation).items():
            store.batch([PutOp(space, id_, {"text": text})])
        ask = lambda text, space=space: store.search(space, query=text, limit=LIMIT)  # noqa: E731
        asks.append((ask, lambda answer: [one.key for one in answer]))
    return asks


@contextmanager
def _mem0(database: Database, conversations: Sequence[Conversation]) -> Iterator[list[Side]]:
    """Its vector store and its filter by user, without the language model that it would ask to write."""
    from mem0.vector_stores.pgvector import PGVector  # noqa: PLC0415 (a peer)

    store = PGVector(
        dbname=database.name,
        collection_name="memories",
        embedding_model_dims=EMBEDDER.dimension,
        user=OWNER,
        password="",
        host=database.folder,
        port=5432,
        diskann=False,
        hnsw=True,
        connection_string=database.url(OWNER),
    )
    asks: list[Side] = []
    for number, conversation in enumerate(conversations):
        turns = _turns(conversation)
        ids = [str(uuid5(NAMESPACE_OID, f"{number} {id_}")) for id_ in turns]
        payloads = [{"user_id": str(number), "data": text, "turn": id_} for id_, text in turns.items()]
        store.insert(_vectors(list(turns.values())), payloads=payloads, ids=ids)
        asks.append(_asking_mem0(store, number))
    database.settle()
    yield asks


def _asking_mem0(store: Any, number: int) -> Side:
    def ask(text: str) -> Any:
        (vector,) = _vectors([text])
        return store.search(query=text, vectors=vector, top_k=LIMIT, filters={"user_id": str(number)})

    return ask, lambda hits: [hit.payload["turn"] for hit in hits]


if __name__ == "__main__":
    main()
