"""Where a file is: what it is called, by which links, and which names no file can have."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb.store import model_of, open_store, snapshot
from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import StoreError, StoreInUse, StoreUnavailable
from lamina.domain.selection import Selection
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

UNCLOSED = """
import os, sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
with store.unit(anchor()) as unit:
    unit.records.add([entry(record("logged"), 1)])
os._exit(0)
"""


def count(path: Path) -> int:
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.reading(anchor()) as unit:
        found = len(set(unit.candidates.newest(Selection(), 99)))
    store.close()
    return found


def open_and_close(path: str) -> None:
    open_store(path, SPEC, EMBEDDING).close()


def ask_its_model(path: str) -> None:
    model_of(path, SPEC)


def copy(path: str) -> None:
    snapshot(path, "copy")


def copy_to_it(path: str) -> None:
    snapshot("memory.duckdb", path)


def test_a_file_is_copied_with_its_log_by_whatever_link(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder / "memory.duckdb")
    subprocess.run([sys.executable, "-c", UNCLOSED, str(tmp_path / "link")], check=True)
    snapshot(str(tmp_path / "link"), str(tmp_path / "copy"))
    assert count(tmp_path / "copy") == 1


@pytest.mark.parametrize("act", [open_and_close, ask_its_model, copy, copy_to_it])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("~nosuchuser/memory.duckdb", "is no path: Could not determine home directory"),
        ("circle/memory.duckdb", "(is no path: Symlink loop|.*Too many levels of symbolic links|is not there)"),
        ("nu\0l", "is no path: embedded null byte"),
        ("mem?x.duckdb", r"has a \? in it, and DuckDB would look for its log elsewhere; rename it"),
        ("fold?er/memory.duckdb", r"has a \? in it"),
    ],
)
def test_what_is_no_path_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[str], object], path: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "circle").symlink_to("circle")
    open_and_close("memory.duckdb")
    with pytest.raises(StoreUnavailable, match=said):
        act(path)
    assert {each.name for each in tmp_path.iterdir()} == {"circle", "memory.duckdb"}


@pytest.mark.parametrize("name", ['we"ird.duckdb', "arriving_copy.duckdb", "it's.duckdb"])
def test_a_file_is_copied_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    store = open_store(str(tmp_path / name), SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("first"), 1)])
    snapshot(str(tmp_path / name), str(tmp_path / f"copy of {name}"))
    store.close()
    assert count(tmp_path / f"copy of {name}") == 1


@pytest.mark.parametrize("name", ["worlds.duckdb", "Worlds.db"])
def test_a_file_that_is_called_like_a_schema_is_to_be_renamed(tmp_path: Path, name: str) -> None:
    said = "schema worlds of worlds.world_agent is called like its file, and DuckDB .*; give the file another name"
    open_and_close(str(tmp_path / "memory.duckdb"))
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=said):
            open_and_close(str(tmp_path / name))
        (tmp_path / "memory.duckdb").replace(tmp_path / name)
        (tmp_path / "memory.duckdb").write_bytes((tmp_path / name).read_bytes())
    (tmp_path / name).replace(tmp_path / "other.duckdb")
    open_and_close(str(tmp_path / "other.duckdb"))


def test_a_file_that_this_process_has_open_by_itself_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    open_and_close(path)
    with duckdb.connect(path):
        for act in (open_and_close, ask_its_model):
            with pytest.raises(StoreInUse, match="is open in this process by another connection; close that one first"):
                act(path)
    open_and_close(path)


def test_another_agent_may_have_a_file_of_that_name(tmp_path: Path) -> None:
    open_store(str(tmp_path / "worlds.duckdb"), ASSISTANT_AGENT, EMBEDDING).close()


def test_asking_for_the_model_of_a_file_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere is not there; give the path of a store that is"):
        ask_its_model(str(tmp_path / "nowhere"))
    assert list(tmp_path.iterdir()) == []
