"""Event memory beside what it rests on: python -m benchmarks.event_memory [--quick] [--model FOLDER]

Postgres is one server on a disk, with fsync and synchronous_commit on, and Lamina works as a role that row security
binds; DuckDB is a file. Events are of loops of a hundred: an input, 49 calls with their results, an output. Each figure
is a median of rounds in which both sides take turns.
"""

from __future__ import annotations

import statistics
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import psycopg
from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.process import cdist

import lamina
from benchmarks.corpus import texts
from benchmarks.figures import Aim, Figure, Setting, at_most, show
from benchmarks.postgres.server import APPLICATION, OWNER, running
from benchmarks.timing import interleaved, seconds
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.adapters.system.ids import TimeOrderedIds
from lamina.composition.embedders import find_embedder
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.event_metadata import Metadata
from lamina.domain.events import EventKind, EventVisibility, Persona
from lamina.domain.long_term import compacted
from lamina.domain.loop_state import CALL
from lamina.domain.loop_summary import normalized
from lamina.ports.embedder import Embedder

WINDOW = 10_000
SPEC = lamina.CHAOS_AGENT.model_copy(
    update={"event_memory": lamina.CHAOS_AGENT.event_memory.model_copy(update={"window": WINDOW})}  # type: ignore[union-attr]
)
START = datetime(2026, 1, 1, tzinfo=UTC)
IDS = TimeOrderedIds()
CHARACTERS = 120
_COLUMNS = "id uuid, ts timestamptz, loop_id uuid, kind text, visibility text, content text, metadata text"


def events(loop_id: UUID, said: list[str]) -> list[Event]:
    """A loop of as many events as there are texts."""
    made: list[Event] = []
    for place, text in enumerate(said):
        last = place == len(said) - 1
        kind = EventKind.TOOL_CALL if place % 2 else EventKind.TOOL_RESULT
        kind = EventKind.USER_INPUT if not place else EventKind.ACTOR_OUTPUT if last else kind
        answer = {"tool": "search"} | ({CALL: str(made[-1].id)} if kind is EventKind.TOOL_RESULT else {})
        made.append(
            Event(
                id=EventId(IDS.new()),
                ts=START + timedelta(seconds=place),
                persona=Persona.ACTOR,
                loop_id=LoopId(loop_id),
                kind=kind,
                visibility=EventVisibility.PUBLIC,
                content=text,
                metadata=Metadata(answer),
            )
        )
    return made


def measure_appending(memory: lamina.Memory, url: str, batches: int, rounds: int) -> list[Figure]:
    """Batches of a hundred: through a loop, and by a bare COPY of the same rows into a table without any index."""
    said = texts(100 * batches, CHARACTERS)
    atlas = memory.at(agent_id="atlas")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE bare ({_COLUMNS})".encode())
        made: list[tuple[lamina.ActorLoop, list[Event]]] = []

        def prepare() -> None:
            made.clear()
            for batch in range(batches):
                loop = atlas.loop()
                made.append((loop, events(loop.id, said[100 * batch : 100 * batch + 100])))

        def ours(_: int) -> None:
            for loop, new in made:
                loop.append(new)

        def bare(_: int) -> None:
            for _loop, new in made:
                with connection.cursor().copy("COPY bare FROM STDIN (FORMAT BINARY)") as copy:
                    copy.set_types(["uuid", "timestamptz", "uuid", "text", "text", "text", "text"])
                    for one in new:
                        copy.write_row(
                            (one.id, one.ts, one.loop_id, one.kind, one.visibility, one.content, one.metadata.text)
                        )

        taken: list[list[float]] = [[], []]
        for number in range(rounds):
            prepare()
            for side, took in zip(taken, interleaved([ours, bare], 1), strict=True):
                side.extend(took if number else [])
    rates = [100 * batches / statistics.median(side) for side in taken]
    least = min(10_000, 0.6 * rates[1])
    aim = Aim(f"{least:,.0f}/s or more", at_least=least / rates[1])
    setting = Setting(rows=100 * batches, characters=CHARACTERS, rounds=rounds)
    return [Figure("append, batches of 100", setting, rates[0], "bare COPY", rates[1], "/s", aim)]


def measure_backfill(
    make: Callable[[], AbstractContextManager[lamina.Memory]], embedder: Embedder, where: str, count: int, rounds: int
) -> list[Figure]:
    """Pending events: derived by one backfill, beside what it takes to embed their texts and nothing else."""
    said = texts(count, CHARACTERS)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        with make() as memory:
            atlas = memory.at(agent_id="atlas")
            every: list[Event] = []
            for start in range(0, count, 100):
                loop = atlas.loop()
                new = events(loop.id, said[start : start + 100])
                loop.append(new)
                every += new
            lines = [compacted(one) for one in every]
            ours.append(seconds(memory.backfill))
            bare.append(seconds(partial(embedder.documents, lines)))
    setting = Setting(rows=count, characters=CHARACTERS, rounds=rounds)
    result = (statistics.median(side) * 1_000 for side in (ours, bare))
    return [Figure(f"backfill, {where}", setting, next(result), "bare embedding", next(result), "ms", at_most(1.3))]


def measure_fuzzy(
    memory: lamina.Memory, where: str, count: int, rounds: int, settle: Callable[[], None] = lambda: None
) -> list[Figure]:
    """A fuzzy query over a window of summaries, beside a bare cdist of the same texts. `settle` is what the database
    does in time by itself."""
    fuzzy = memory.at(agent_id="fuzzy")
    said = texts(2 * count, CHARACTERS)
    for start in range(count):
        loop = fuzzy.loop()
        pair = events(loop.id, said[2 * start : 2 * start + 2])
        loop.append(pair)
    memory.backfill()
    settle()
    view = fuzzy.actor_view()
    with view._memory.store.reading() as unit:  # noqa: SLF001 (the very texts that are compared)
        there = list(unit.short_term.window(WINDOW).texts)
    query = normalized("operator evidence threshold of the audit")
    turns = interleaved(
        [
            lambda _: view.fuzzy_query("operator evidence threshold of the audit"),
            lambda _: cdist([query], there, scorer=token_set_ratio),
        ],
        rounds,
    )
    ours, bare = (statistics.median(side) * 1_000 for side in turns)
    setting = Setting(rows=len(there), characters=sum(map(len, there)) // len(there), rounds=rounds, commit="")
    return [Figure(f"fuzzy_query, {where}", setting, ours, "bare cdist", bare, "ms", at_most(1.3))]


def _measure_model(model: str, count: int) -> None:
    """The backfill with a transformer, once: beside one, what is not embedding hardly counts."""
    embedder = find_embedder(model)
    embedder.query("load the model before the clock starts")
    with running() as server, tempfile.TemporaryDirectory() as folder:

        @contextmanager
        def postgres() -> Iterator[lamina.Memory]:
            database = server.database()
            lamina.migrate(database.url(OWNER), SPEC, embedder, grant_to=APPLICATION, grant_dream_to=APPLICATION)
            with lamina.open(database.url(APPLICATION), SPEC, embedder) as memory:
                yield memory

        figures = measure_backfill(postgres, embedder, f"Postgres, {embedder.model}", count, 1)
        path = str(Path(folder) / "memory.duckdb")
        make = partial(lamina.open, path, SPEC, embedder)
        figures += measure_backfill(make, embedder, f"DuckDB, {embedder.model}", count, 1)
    show("Event memory", figures)


def main() -> None:
    """Prints the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, to see that it runs")
    parser.add_argument("--model", help="a transformer's folder or hub name: only the backfill with that is measured")
    given = parser.parse_args()
    small = given.quick
    if given.model:
        _measure_model(given.model, 500 if small else 10_000)
        return
    size, rounds = (1_000, 2) if small else (10_000, 5)
    embedder = BundledEmbedder()
    embedder.query("load the model before the clock starts")
    figures: list[Figure] = []
    with running() as server:

        @contextmanager
        def postgres() -> Iterator[lamina.Memory]:
            database = server.database()
            lamina.migrate(database.url(OWNER), SPEC, embedder, grant_to=APPLICATION, grant_dream_to=APPLICATION)
            with lamina.open(database.url(APPLICATION), SPEC, embedder) as memory:
                yield memory

        database = server.database()
        lamina.migrate(database.url(OWNER), SPEC, embedder, grant_to=APPLICATION, grant_dream_to=APPLICATION)
        with lamina.open(database.url(APPLICATION), SPEC, embedder) as memory:
            figures += measure_appending(memory, database.url("postgres"), size // 100, rounds + 1)
            figures += measure_fuzzy(memory, "Postgres", size, 4 * rounds, database.settle)
        figures += measure_backfill(postgres, embedder, "Postgres", size, rounds)
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(1_000))

        @contextmanager
        def duckdb() -> Iterator[lamina.Memory]:
            path = str(Path(folder) / f"{next(numbers)}.duckdb")
            with lamina.open(path, SPEC, embedder) as memory:
                yield memory

        with duckdb() as memory:
            figures += measure_fuzzy(memory, "DuckDB", size, 4 * rounds)
        figures += measure_backfill(duckdb, embedder, "DuckDB", size, rounds)
    show("Event memory", figures)


if __name__ == "__main__":
    main()
