"""A worker builds its memory once, and closes it whatever ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.application.memory import Memory
from lamina.domain.dreaming import Done, Dreamt
from lamina.domain.errors import SettingsError
from lamina.domain.retrieval import EmbeddingChoice
from lamina.entrypoints.worker import find_work, maintenance, run_worker

if TYPE_CHECKING:
    from tests.conftest import Server, Template

WORK = """
import signal, sys, threading

def work(memory, stop):
    ann = memory.at(user_id="ann")
    with ann.session() as session:
        session.observe("the worker began")
    print("ready", flush=True)
    stop.wait(60)
    with ann.session() as session:
        session.observe("the worker ended what it had begun")

def deaf(memory, stop):
    print("ready", flush=True)
    threading.Event().wait(60)
"""


@contextmanager
def running(folder: Path, function: str, store: str | None = None) -> Iterator[subprocess.Popen[str]]:
    (folder / "jobs.py").write_text(WORK)
    command = [sys.executable, "-c", "from lamina.entrypoints.cli import main; main()", "worker", f"jobs:{function}"]
    options = ["--store", store or str(folder / "memory.duckdb"), "--embedder", "hashing"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, cwd=folder)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def test_sigterm_lets_it_end_what_it_began_and_closes_the_store(tmp_path: Path) -> None:
    with running(tmp_path, "work") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert not (tmp_path / "memory.duckdb.wal").exists(), "the file was closed"
    with lamina.open(str(tmp_path / "memory.duckdb"), embedder=HashingEmbedder()) as memory:
        bodies = {hit.record.body for hit in memory.at(user_id="ann").recall("the worker")}
    assert bodies == {"the worker began", "the worker ended what it had begun"}


def test_sigterm_lets_go_of_every_connection(tmp_path: Path, postgres_server: Server, template: Template) -> None:
    embedder = HashingEmbedder()
    model = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    database = postgres_server.database(template(lamina.ASSISTANT_AGENT, model).name)
    connected = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database.name}'"
    with psycopg.connect(postgres_server.url, autocommit=True) as superuser:
        with running(tmp_path, "work", database.url) as process:
            assert superuser.execute(connected).fetchone() != (0,)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        # The server notices soon after.
        until = time.monotonic() + 10
        while superuser.execute(connected).fetchone() != (0,):
            assert time.monotonic() < until, "a connection was left open"
            time.sleep(0.02)
    with lamina.open(database.url, embedder=embedder) as memory:
        assert len(memory.at(user_id="ann").recall("the worker")) == 2
    database.drop()


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    with running(tmp_path, "deaf") as process:
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    assert not (tmp_path / "memory.duckdb.wal").exists(), "the file was closed"


def test_an_error_in_the_work_closes_the_store_and_comes_out(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    before = signal.getsignal(signal.SIGTERM)

    def broken(memory: Memory, stop: threading.Event) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_worker(broken, path, embedder=HashingEmbedder())
    assert signal.getsignal(signal.SIGTERM) is before
    lamina.open(path, embedder=HashingEmbedder()).close()


def test_maintenance_goes_round_until_it_is_told_to_stop() -> None:
    rounds = []

    class Counting(Memory):
        def maintain(self) -> int:
            rounds.append(1)
            if len(rounds) == 3:
                stop.set()
            return len(rounds)

    stop = threading.Event()
    maintenance(every=0.001)(Counting.__new__(Counting), stop)
    assert len(rounds) == 3


def test_maintenance_dreams_when_it_is_time() -> None:
    dreams = []

    class Dreaming(Memory):
        def maintain(self) -> int:
            return 0

        def dream(self, **_: object) -> Dreamt:
            dreams.append(1)
            if len(dreams) == 2:
                stop.set()
            return Dreamt(counts=Counter({Done.MOVED_UP: 1}))

    stop = threading.Event()
    maintenance(every=0.001, dream_every=0.01)(Dreaming.__new__(Dreaming), stop)
    assert len(dreams) == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("jobs", "names no function; write it as package.module:function"),
        ("nowhere:work", "cannot be imported: No module named 'nowhere'"),
        ("json:nothing", r"is no function; define nothing\(memory, stop\) in json"),
    ],
)
def test_work_that_is_not_there(name: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        find_work(name)
