"""One process, however often it opens a file: all see the same, and nobody else gets at it before the last is done."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lamina.adapters.duckdb.open_file import MEMORY, OPENING
from lamina.adapters.duckdb.store import DuckDBStore, model_of, open_persona, open_store, snapshot
from lamina.domain.agents import ASSISTANT_AGENT, CHAOS_AGENT
from lamina.domain.errors import LaminaError, StoreClosed, StoreError
from lamina.domain.events import Persona
from lamina.domain.ids import MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.testing.event_strategies import agent, event
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, vector

SECOND = """
import sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC
open_store(sys.argv[1], SPEC, EMBEDDING).close()
"""


def found(store: DuckDBStore) -> set[MemoryId]:
    with store.reading(anchor()) as unit:
        return set(unit.candidates.newest(Selection(), 9))


def write(store: DuckDBStore, body: str) -> MemoryId:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(body), 1)])
    return record(body).id


def refused(path: Path) -> bool:
    """Whether another process is told that the file is in use."""
    second = subprocess.run([sys.executable, "-c", SECOND, str(path)], capture_output=True, text=True, check=False)
    return "StoreInUse" in second.stderr


def in_a_child(act: Callable[[], object]) -> str:
    """What a forked process is told when it tries something."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(20)
        told = "failed"
        try:
            act()
            told = "done"
        except LaminaError as error:
            told = f"{type(error).__name__}: {error}"
        finally:
            # Whatever happened: the tests that are left are its parent's.
            os.write(writing, told.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as said:
        return said.read()


def test_whoever_opens_a_file_again_sees_what_the_other_writes(tmp_path: Path) -> None:
    path = tmp_path / "memory.duckdb"
    (tmp_path / "link").symlink_to(path)
    one, other = (open_store(str(each), SPEC, EMBEDDING) for each in (path, tmp_path / "link"))
    assert found(one) == found(other) == set()
    first, second = write(one, "first"), write(other, "second")
    assert found(one) == found(other) == {first, second}
    with pytest.raises(RuntimeError), other.unit(anchor()) as unit:
        unit.records.add([entry(record("third"), 1)])
        raise RuntimeError
    assert found(one) == found(other) == {first, second}
    one.close()
    one.close()
    assert refused(path), "the other works on it still"
    with pytest.raises(StoreClosed):
        found(one)
    assert found(other) == {first, second}
    other.close()
    assert not refused(path)


def test_each_store_in_memory_is_its_own() -> None:
    one, other = (open_store(MEMORY, SPEC, EMBEDDING) for _ in range(2))
    write(one, "first")
    assert found(other) == set()
    one.close()
    other.close()


def test_a_store_sees_what_is_written_with_the_next_model(tmp_path: Path) -> None:
    path, following = str(tmp_path / "memory.duckdb"), EmbeddingChoice(model="next", dimension=4)
    one = open_store(path, SPEC, EMBEDDING)
    first = write(one, "first")
    one.reembedding.begin(following)
    one.reembedding.add(one.reembedding.missing(9), [vector(1)])
    assert one.reembedding.finish()
    assert found(one) == {first}
    other = open_store(path, SPEC, following)
    assert model_of(path, SPEC) == following
    with other.unit(anchor()) as unit:
        unit.records.add([entry(record("second"))])
    assert found(one) == found(other) == {first, record("second").id}
    one.close()
    other.close()


def test_a_persona_works_in_turn_with_whoever_has_the_file(tmp_path: Path) -> None:
    path, whose = str(tmp_path / "memory.duckdb"), agent()
    store = open_store(path, CHAOS_AGENT, EMBEDDING)
    other = open_store(path, ASSISTANT_AGENT, EMBEDDING)
    persona = open_persona(path, CHAOS_AGENT, EMBEDDING, whose, Persona.ACTOR)
    store.close()
    with persona.unit() as unit:
        unit.log.append([event("seen")])
        assert len(unit.log.chain(None, 9)) == 1
    persona.close()
    assert refused(tmp_path / "memory.duckdb")
    other.close()


def test_a_unit_inside_another_of_one_thread_is_refused_and_does_not_wait_for_ever(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    one, other = (open_store(path, spec, EMBEDDING) for spec in (SPEC, ASSISTANT_AGENT))
    said = "file is at work in a unit of this thread; end that unit first"
    with one.unit(anchor()) as unit:
        with pytest.raises(StoreError, match=said):
            other.every_anchor(None, 1)
        with pytest.raises(StoreError, match=said):
            snapshot(path, str(tmp_path / "copy"))
        unit.records.add([entry(record("first"), 1)])
    assert found(one) == {record("first").id}
    one.close()
    other.close()


def test_a_forked_process_is_told_to_open_it_itself(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    store, alone = open_store(path, SPEC, EMBEDDING), open_store(MEMORY, SPEC, EMBEDDING)
    said = f"StoreInUse: store was opened by process {os.getpid()}, which this one was forked from; open it after"
    assert in_a_child(lambda: found(store)).startswith(said)
    assert in_a_child(lambda: open_store(path, SPEC, EMBEDDING)).startswith(said)
    assert in_a_child(store.close) == in_a_child(lambda: found(alone)) == "done"
    first = write(store, "first")
    assert refused(tmp_path / "memory.duckdb")
    store.close()
    alone.close()
    again = open_store(path, SPEC, EMBEDDING)
    assert found(again) == {first}
    again.close()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_process_that_is_forked_while_a_file_is_opened_opens_its_own(tmp_path: Path) -> None:
    opening = threading.Event()

    def slowly() -> None:
        with OPENING:
            opening.set()
            time.sleep(0.2)

    thread = threading.Thread(target=slowly)
    thread.start()
    opening.wait()
    path = str(tmp_path / "memory.duckdb")
    assert in_a_child(lambda: open_store(path, SPEC, EMBEDDING).close()) == "done"
    thread.join()


def test_a_store_that_nobody_has_any_more_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.duckdb"
    store = open_store(str(path), SPEC, EMBEDDING)
    write(store, "first")
    del store
    gc.collect()
    assert not refused(path)


def test_a_file_that_does_not_open_is_not_held(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    open_store(path, SPEC, EMBEDDING).close()
    for _ in range(2):
        with pytest.raises(LaminaError, match="has vectors of sample"):
            open_store(path, SPEC, EmbeddingChoice(model="other", dimension=4))
    assert not refused(tmp_path / "memory.duckdb")
