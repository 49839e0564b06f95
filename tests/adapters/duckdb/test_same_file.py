"""A file that is open is that file, whatever happens to its name, and whatever other names it has."""

import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb import checkpoints, open_file
from lamina.adapters.duckdb.checkpoints import Checkpoints
from lamina.adapters.duckdb.open_file import OpenFile
from lamina.adapters.duckdb.store import DuckDBStore, model_of, open_store, snapshot
from lamina.domain.errors import StoreInUse, StoreUnavailable
from lamina.domain.selection import Selection
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

GONE = "was removed or replaced while it was open; close it first"
UNCLOSED = """
import os, sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
with store.unit(anchor()) as unit:
    unit.records.add([entry(record("logged"), 1)])
os._exit(0)
"""
HOLDER = """
import sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC
store = open_store(sys.argv[1], SPEC, EMBEDDING)
print("held", flush=True)
sys.stdin.read()
store.close()
"""


def opened(path: Path) -> DuckDBStore:
    return open_store(str(path), SPEC, EMBEDDING)


def write(store: DuckDBStore, name: str) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1)])


def bodies(store: DuckDBStore) -> set[str]:
    with store.reading(anchor()) as unit:
        found = unit.records.get(unit.candidates.newest(Selection(), 99)).values()
        return {each.body.removeprefix("the fact about ") for each in found}


def made(path: Path, *names: str) -> None:
    store = opened(path)
    for name in names:
        write(store, name)
    store.close()


def kept(path: Path) -> set[str]:
    store = opened(path)
    found = bodies(store)
    store.close()
    return found


def test_by_another_hard_link_it_is_the_same_file(tmp_path: Path) -> None:
    path, link = tmp_path / "memory.duckdb", tmp_path / "link.duckdb"
    one = opened(path)
    link.hardlink_to(path)
    other = opened(link)
    write(one, "first")
    write(other, "second")
    assert bodies(one) == bodies(other) == {"first", "second"}
    snapshot(str(link), str(tmp_path / "copy"))
    one.close()
    write(other, "third")
    other.close()
    assert kept(path) == {"first", "second", "third"}
    assert kept(tmp_path / "copy") == {"first", "second"}


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    made(path.with_name("other"), "of another")
    path.with_name("other").replace(path)


@pytest.mark.parametrize("happens", [remove, replace])
def test_one_that_is_gone_is_not_opened_before_it_is_closed(tmp_path: Path, happens: Callable[[Path], None]) -> None:
    path = tmp_path / "memory.duckdb"
    made(path, "first")
    store = opened(path)
    happens(path)
    for act in (lambda: opened(path), lambda: model_of(str(path), SPEC), lambda: snapshot(str(path), "copy")):
        with pytest.raises(StoreUnavailable, match=GONE):
            act()
    assert bodies(store) == {"first"}
    store.close()
    assert kept(path) == (set() if happens is remove else {"of another"})


@pytest.mark.parametrize("happens", [remove, replace])
def test_the_log_of_one_that_is_gone_stays_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, happens: Callable[[Path], None]
) -> None:
    path, log = tmp_path / "memory.duckdb", tmp_path / "memory.duckdb.wal"
    store = opened(path)
    write(store, "first")
    happens(path)
    monkeypatch.setattr(checkpoints, "LOG_LIMIT", 0)
    write(store, "second")
    assert bodies(store) == {"first", "second"}
    store.close()
    said = f"WAL does not match database file.; {log} is the log of another file: move it away"
    with pytest.raises(StoreUnavailable, match=said):
        opened(path)
    log.unlink()
    assert kept(path) == (set() if happens is remove else {"of another"})


def test_a_log_that_came_with_another_file_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "memory.duckdb", tmp_path / "other"
    store = opened(path)
    write(store, "first")
    subprocess.run([sys.executable, "-c", UNCLOSED, str(other)], check=True)
    other.replace(path)
    other.with_name("other.wal").replace(path.with_name("memory.duckdb.wal"))
    store.close()
    assert kept(path) == {"logged"}


def test_a_file_that_is_gone_when_it_is_opened_anew_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.duckdb"
    store = opened(path)

    def fails(self: Checkpoints, _: object) -> bool:
        path.unlink()
        return False

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "LOG_LIMIT", 0)
        patch.setattr(Checkpoints, "made", fails)
        write(store, "first")
    with pytest.raises(StoreUnavailable, match=GONE):
        bodies(store)
    store.close()
    assert not path.exists()


def test_a_file_that_another_process_has_taken_is_worked_on_when_that_one_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.duckdb"
    store = opened(path)
    write(store, "first")
    holder = None

    def taken(file: OpenFile) -> duckdb.DuckDBPyConnection:
        nonlocal holder
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        return reconnected(file)

    reconnected = OpenFile._reconnected
    path.with_name(f"{path.name}.undo.new").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "LOG_LIMIT", 0)
        patch.setattr(OpenFile, "_reconnected", taken)
        write(store, "second")
    path.with_name(f"{path.name}.undo.new").rmdir()
    assert holder is not None
    with pytest.raises(StoreInUse, match=f"is held by process {holder.pid}; work in that process"):
        write(store, "third")
    with pytest.raises(StoreInUse, match=f"is held by process {holder.pid}; work in that process"):
        opened(path)
    holder.communicate()
    other = opened(path)
    write(store, "third")
    assert bodies(store) == bodies(other) == {"first", "second", "third"}
    store.close()
    other.close()
    assert kept(path) == {"first", "second", "third"}


def test_an_interrupted_checkpoint_is_undone_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.duckdb"
    store = opened(path)
    set_aside = Checkpoints._set_aside

    def interrupted(self: Checkpoints, *given: object) -> None:
        set_aside(self, *given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "LOG_LIMIT", 0)
        patch.setattr(Checkpoints, "_set_aside", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write(store, "first")
    assert bodies(store) == {"first"}
    assert not path.with_name(f"{path.name}.undo").exists()
    store.close()


def test_an_interrupt_while_it_is_closed_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.duckdb"
    store = opened(path)
    write(store, "first")
    closed: list[None] = []

    def interrupted(self: Checkpoints, _: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        close = Checkpoints.close
        patch.setattr(Checkpoints, "close", lambda self: closed.append(close(self)))
        patch.setattr(Checkpoints, "made", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.close()
    assert len(closed) == 1
    assert kept(path) == {"first"}


def test_what_is_set_aside_and_stays_hinders_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A checkpoint ended, and what was set aside for it could not be removed."""
    path, unlink = tmp_path / "memory.duckdb", Path.unlink

    def refused(self: Path, missing_ok: bool = False) -> None:
        if self.suffix == ".undo":
            raise PermissionError(13, "Permission denied", str(self))
        unlink(self, missing_ok)

    store = opened(path)
    write(store, "first")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)
        store.close()
    undo = path.with_name(f"{path.name}.undo")
    assert undo.exists()
    assert caplog.messages[0].startswith(f"{path}: its checkpoint ended, and {undo} may be removed: [Errno 13]")
    snapshot(str(path), str(tmp_path / "copy"))
    assert kept(tmp_path / "copy") == kept(path) == {"first"}
    assert not undo.exists()


def test_a_file_that_the_collector_lets_go_of_meanwhile_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, used = tmp_path / "memory.duckdb", open_file._used
    stores = [opened(path)]
    write(stores[0], "first")

    def collected(file: OpenFile) -> OpenFile:
        stores.clear()
        gc.collect()
        return used(file)

    with monkeypatch.context() as patch:
        patch.setattr(open_file, "_used", collected)
        store = opened(path)
    assert bodies(store) == {"first"}
    store.close()
