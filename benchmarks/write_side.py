"""The write side on both stores: python -m benchmarks.write_side [--quick]

Every write goes through all gates of the World Agent, with the bundled model's embedding in it. The anchor has 10,000
memories and 1,000 rules. The Postgres server is on a disk with fsync on, and Lamina works as a role that row security
binds; the DuckDB file is on the same disk.
"""

from __future__ import annotations

import resource
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from uuid import UUID

import lamina
from benchmarks.corpus import texts
from benchmarks.facts import fill
from benchmarks.figures import Figure, Setting, at_most, show, within_ms
from benchmarks.postgres.ours import migrated
from benchmarks.postgres.server import APPLICATION, OWNER, running
from benchmarks.timing import interleaved, seconds
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.application.entries import entries_of
from lamina.domain.dreaming import Dreamt
from lamina.domain.ids import EmbeddingId, MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import PersistentScope
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity

SPEC = lamina.WORLD_AGENT
SHORT, LONG, RULE = 90, 500, 200


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    memories: int = 10_000
    rules: int = 1_000
    singles: int = 100
    bulk: int = 10_000
    bulk_rounds: int = 3
    dreams: tuple[int, ...] = (1_000, 10_000, 100_000)


QUICK = Sizes(memories=500, rules=50, singles=10, bulk=500, bulk_rounds=1, dreams=(100, 1_000))
"""To see that it runs. Its figures say nothing."""


def filled(memory: lamina.Memory, embedder: BundledEmbedder, domain: str, sizes: Sizes) -> lamina.AnchoredMemory:
    """An anchor with memories and rules."""
    anchored = memory.at(org_id="acme", domain_id=domain)
    bodies = texts(sizes.memories, SHORT)
    fill(anchored._resources.store, anchored.anchor, embedder.model, bodies, embedder.documents(bodies))  # noqa: SLF001
    rules = texts(sizes.rules, RULE, seed=11)
    anchored.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=number), "v1"), body) for number, body in enumerate(rules)])
    memory.maintain()
    return anchored


def singles(name: str, anchored: lamina.AnchoredMemory, sizes: Sizes, aim_ms: float) -> list[Figure]:
    """One write after another: an observation, a proposal, a preference, and observations of 500 characters."""
    session = anchored.session()
    seen = session.observe("Something was seen at the gate").require()
    short, long = texts(3 * sizes.singles + 3, SHORT, seed=23), texts(sizes.singles + 1, LONG, seed=29)
    acts: dict[str, Callable[[int], lamina.Outcome]] = {
        "observe": lambda number: session.observe(short[number]),
        "propose": lambda number: session.propose(short[sizes.singles + number], because=[seen.id]),
        "prefer": lambda number: session.prefer(short[2 * sizes.singles + number]),
        "observe, 500 characters": lambda number: session.observe(long[number]),
    }
    for act in acts.values():
        act(sizes.singles)
    taken = interleaved(list(acts.values()), sizes.singles)
    figures = []
    for (what, _), times in zip(acts.items(), taken, strict=True):
        characters = LONG if "500" in what else SHORT
        setting = Setting(rows=sizes.memories, characters=characters, rounds=sizes.singles, rules=sizes.rules)
        ms = median(times) * 1_000
        aim = within_ms(aim_ms) if characters == SHORT else within_ms(float("inf"), "published")
        figures.append(Figure(f"{name}: {what}", setting, ms, "nothing", 0.0, "ms", aim, extra=ms))
    return figures


def bulk(name: str, anchored: lamina.AnchoredMemory, sizes: Sizes) -> Figure:
    """observe_many beside the adapter's own bulk write of as many records, embedded too."""
    resources = anchored._resources  # noqa: SLF001
    bodies = [texts(sizes.bulk, SHORT, seed=100 + number) for number in range(2 * sizes.bulk_rounds)]

    def ours(number: int) -> None:
        anchored.session().observe_many([lamina.Observation(body) for body in bodies[number]])

    def bare(number: int) -> None:
        now = resources.clock.now()
        records = [
            MemoryRecord(
                id=MemoryId(resources.ids.new()),
                scope=PersistentScope(anchored.anchor),
                typology=Typology.EPISODIC,
                body=body,
                recorded_at=now,
                validity=Validity(now),
                embedding_id=EmbeddingId(resources.ids.new()),
            )
            for body in bodies[sizes.bulk_rounds + number]
        ]
        entries = entries_of(resources, records)
        with resources.store.unit(anchored.anchor) as unit:
            unit.records.add(entries)

    mine, theirs = (median(times) for times in interleaved([ours, bare], sizes.bulk_rounds))
    setting = Setting(rows=sizes.bulk, characters=SHORT, rounds=sizes.bulk_rounds, rules=sizes.rules)
    return Figure(f"{name}: observe_many", setting, mine * 1_000, "the bare write", theirs * 1_000, "ms", at_most(1.5))


def dreams(name: str, opened: Opened, embedder: BundledEmbedder, sizes: Sizes) -> list[Figure]:
    """Maintenance of one anchor of each size, each beside as many times the smallest."""
    figures, first = [], 0.0
    # Every so many of the same texts, so that no size has other ones: those numbered higher look more like ids.
    every = texts(max(sizes.dreams), SHORT, seed=31)
    for count in sizes.dreams:
        anchored = opened.memory.at(org_id="dream", domain_id=str(count))
        bodies = every[:: len(every) // count]
        fill(anchored._resources.store, anchored.anchor, embedder.model, bodies, embedder.documents(bodies))  # noqa: SLF001
        opened.settle()
        before = _most_memory()
        reports: list[Dreamt] = []
        taken = seconds(lambda anchored=anchored, reports=reports: reports.append(anchored.dream()))  # type: ignore[misc]
        assert reports[0].reviewed == count
        first = first or taken / count
        setting = Setting(rows=count, characters=SHORT, rounds=1)
        grown = f"{_most_memory() - before:.0f} MB more at its peak; {count / sizes.dreams[0]:g} x the first"
        figures.append(Figure(f"{name}: dream, {grown}", setting, taken * 1_000, "", first * count * 1_000, "ms"))
    return figures


@dataclass(frozen=True)
class Opened:
    """A memory, and what its database does in time by itself."""

    memory: lamina.Memory
    settle: Callable[[], None] = lambda: None


def _most_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


@contextmanager
def on_duckdb(embedder: BundledEmbedder) -> Iterator[Opened]:
    """A new file."""
    folder = tempfile.TemporaryDirectory()
    with folder as path, lamina.open(str(Path(path) / "write.duckdb"), SPEC, embedder) as memory:
        yield Opened(memory)


@contextmanager
def on_postgres(embedder: BundledEmbedder) -> Iterator[Opened]:
    """A new server."""
    with running() as server:
        database = migrated(server, embedder)
        lamina.migrate(database.url(OWNER), SPEC, embedder, create_canonical=True, grant_dream_to=APPLICATION)
        with lamina.open(database.url(APPLICATION), SPEC, embedder) as memory:
            yield Opened(memory, database.settle)


def main() -> None:
    """Prints a table for each store, as it comes."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a part of the size, to see that it runs")
    sizes = QUICK if parser.parse_args().quick else Sizes()
    embedder = BundledEmbedder()
    embedder.query("load the model before the clock starts")
    started = perf_counter()
    for name, opening, aim in (("DuckDB", on_duckdb, 8.0), ("Postgres", on_postgres, 10.0)):
        with opening(embedder) as opened:
            anchored = filled(opened.memory, embedder, "kyc", sizes)
            figures = [*singles(name, anchored, sizes, aim), bulk(name, anchored, sizes)]
            show(f"{name}: writing through all gates", figures)
            show(f"{name}: maintenance", dreams(name, opened, embedder, sizes))
    print(f"\nThe run took {perf_counter() - started:.0f} s.")


if __name__ == "__main__":
    main()
