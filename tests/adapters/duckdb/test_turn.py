"""Whose turn it is, when an interrupt comes at any moment of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from linecache import getline
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from lamina.adapters.duckdb.store import DuckDBStore, open_store
from lamina.adapters.duckdb.turn import Turn
from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import StoreClosed, StoreError
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

TAKING_TURNS = ("duckdb/file.py", "duckdb/turn.py", "duckdb/open_file.py", "duckdb/store.py", "contextlib.py")


@contextmanager
def interrupted_at(line: int) -> Iterator[None]:
    """Ctrl-C before this line of all that are run, counted from 0, in what takes turns."""
    left = line

    def traced(frame: FrameType, what: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(TAKING_TURNS):
            return None
        # Python looks for an interrupt at calls and in loops. A `try:` is neither, and is nobody's to handle.
        if what == "line" and getline(frame.f_code.co_filename, frame.f_lineno).strip() != "try:":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        yield
    finally:
        sys.settrace(before)


def write(store: DuckDBStore, name: str) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1)])


def test_no_interrupt_leaves_the_turn_taken(tmp_path: Path) -> None:
    store, line, done = open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING), 0, False
    while not done:
        with suppress(KeyboardInterrupt), interrupted_at(line):
            write(store, f"interrupted {line}")
            done = True
        write(store, f"after {line}")
        line += 1
    assert line > 20, "it was hardly interrupted"
    with store.reading(anchor()) as unit:
        assert len(unit.records.get(record(f"after {each}").id for each in range(line))) == line
    store.close()


def test_whoever_had_the_turn_before_waits_and_is_not_refused() -> None:
    turn = Turn()
    with turn.awaited(), turn:
        pass
    # Another thread has the lock, and could not yet say so.
    with turn.awaited():
        assert turn.awaited().locked()


def test_a_store_that_is_closed_inside_its_own_unit_stays_open(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    store, other = (open_store(path, spec, EMBEDDING) for spec in (SPEC, ASSISTANT_AGENT))
    with store.unit(anchor()) as unit:
        for each in (store, other):
            with pytest.raises(StoreError, match="is at work in a unit of this thread; end that unit first"):
                each.close()
        unit.records.add([entry(record("first"), 1)])
    write(store, "second")
    store.close()
    other.close()
    with pytest.raises(StoreClosed):
        write(store, "third")
    again = open_store(path, SPEC, EMBEDDING)
    assert again._file._opened is not None
    assert again._file._opened.users == 1
    again.close()
