"""Writing, beside LangGraph's PostgresStore: many at once, and one by one. Embedding is part of it on both sides."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.corpus import texts
from benchmarks.figures import Figure, Setting, at_least, at_most
from benchmarks.postgres import ours, peer
from benchmarks.postgres.server import Database, Server
from benchmarks.timing import interleaved, seconds
from benchmarks.writes import observe, observe_many
from lamina.ports.embedder import Embedder

if TYPE_CHECKING:
    from lamina.application.session import Session

CHARACTERS = 120


@dataclass(frozen=True)
class Sides:
    """Each side with a database of its own."""

    database: Database
    session: Session
    indexed: peer.Peer
    flat: peer.Peer


def measure_writing(server: Server, embedder: Embedder, count: int, singles: int, rounds: int) -> list[Figure]:
    """So many memories in each round, into empty tables; then single ones on top of them."""
    with ExitStack() as stack:
        sides = [_opened(stack, server, embedder) for _ in range(rounds)]
        return [*_bulk(sides, embedder, count), _single(sides[-1], count, singles)]


def _opened(stack: ExitStack, server: Server, embedder: Embedder) -> Sides:
    database = ours.migrated(server, embedder)
    memory = stack.enter_context(ours.memory(database, embedder))
    return Sides(
        database=database,
        session=memory.at(**dict(ours.anchor("kyc").parts)).session(),
        indexed=stack.enter_context(peer.opened(server.database(), embedder)),
        flat=stack.enter_context(peer.opened(server.database(), embedder, kind="flat")),
    )


def _bulk(sides: list[Sides], embedder: Embedder, count: int) -> list[Figure]:
    bodies = texts(count, CHARACTERS)
    acts = [
        lambda number: observe_many(sides[number].session, bodies),
        lambda number: sides[number].indexed.put_many(bodies),
        lambda number: sides[number].flat.put_many(bodies),
    ]
    lamina, indexed, flat = map(median, interleaved(acts, len(sides)))
    # Not part of writing: it is done when there is time. But LangGraph pays for its index while it writes.
    maintained = lamina + seconds(lambda: ours.maintain(sides[0].database, embedder))
    setting = Setting(rows=count, characters=CHARACTERS, rounds=len(sides))
    rates = [count / taken for taken in (lamina, maintained, indexed, flat)]
    return [
        Figure("bulk write", setting, rates[0], "LangGraph", rates[2], "rows/s", at_least(10)),
        Figure("bulk write, HNSW on neither side", setting, rates[0], "LangGraph flat", rates[3], "rows/s"),
        Figure("bulk write, and all maintenance", setting, rates[1], "LangGraph", rates[2], "rows/s"),
    ]


def _single(sides: Sides, count: int, rounds: int) -> Figure:
    bodies = texts(rounds, CHARACTERS, seed=8)
    acts = [
        lambda number: observe(sides.session, bodies[number]),
        lambda number: sides.indexed.put(bodies[number]),
    ]
    lamina, langgraph = (median(taken) * 1_000 for taken in interleaved(acts, rounds))
    setting = Setting(rows=count, characters=CHARACTERS, rounds=rounds)
    return Figure("single write", setting, lamina, "LangGraph", langgraph, "ms", at_most(1))
