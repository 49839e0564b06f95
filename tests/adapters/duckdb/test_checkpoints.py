"""A checkpoint that is cut short, anywhere, leaves a file that opens, with everything that was committed."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb import checkpoints
from lamina.adapters.duckdb.checkpoints import Checkpoints
from lamina.adapters.duckdb.snapshot import HEADERS
from lamina.adapters.duckdb.store import model_of, open_store, snapshot
from lamina.domain.errors import StoreInUse, StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

BLOCK, PAGE = 256 * 1024, 4096
SECOND = """
import sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC
open_store(sys.argv[1], SPEC, EMBEDDING)
"""
UNCLOSED = """
import sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
with store.unit(anchor()) as unit:
    unit.records.add([entry(record("0"), 1)])
"""

NO_ROOM = """
import resource, signal, sys
from lamina.adapters.duckdb import checkpoints
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
store = open_store(sys.argv[1], SPEC, EMBEDDING)
for number in range(60):
    limit(int(sys.argv[2]) if 20 <= number < 40 else most)
    checkpoints.LOG_LIMIT = 20_000 if 20 <= number else most
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(str(number), body="long " * 390), 1, number)])
with store.reading(anchor()) as unit:
    print(len(unit.records.get(record(str(number)).id for number in range(100))))
limit(int(sys.argv[2]))
store.close()
"""
"""Units, some of which find no room for a checkpoint, and then room again."""


def write(path: Path, numbers: range) -> None:
    """Units of one record, in a store that is opened and closed for them."""
    store = open_store(str(path), SPEC, EMBEDDING)
    for number in numbers:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(str(number)), 1, number)])
    store.close()


def count(path: Path) -> int:
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.reading(anchor()) as unit:
        found = len(unit.records.get(record(str(number)).id for number in range(100)))
    store.close()
    return found


def beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}.{end}")


@pytest.fixture
def torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """A file as a process leaves it that is killed after so many pages of the block that says where everything is."""
    path, before = tmp_path / "memory.duckdb", tmp_path / "before"
    write(path, range(5))
    checkpoint = Checkpoints._set_aside

    def set_aside(self: Checkpoints, connection: duckdb.DuckDBPyConnection, handle: int) -> None:
        checkpoint(self, connection, handle)
        before.mkdir()
        for each in (path, beside(path, "wal"), beside(path, "undo")):
            shutil.copyfile(each, before / each.name)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, "_set_aside", set_aside)
        write(path, range(5, 10))

    def cut(pages: int) -> Path:
        found, old, new = tmp_path / f"torn {pages}" / path.name, (before / path.name).read_bytes(), path.read_bytes()
        end = HEADERS + pages * PAGE
        found.parent.mkdir()
        found.write_bytes(old[:HEADERS] + new[HEADERS:end] + old[end : HEADERS + BLOCK] + new[HEADERS + BLOCK :])
        for name in ("wal", "undo"):
            shutil.copyfile(beside(before / path.name, name), beside(found, name))
        return found

    return cut


@pytest.mark.parametrize("pages", [0, 1, 2, 7, 63, 64])
def test_what_a_killed_checkpoint_overwrote_is_put_back(torn: Callable[[int], Path], pages: int) -> None:
    path = torn(pages)
    assert count(path) == 10
    assert not beside(path, "undo").exists()
    write(path, range(10, 15))
    assert count(path) == 15


def test_without_that_the_file_is_lost(torn: Callable[[int], Path]) -> None:
    """If DuckDB learns to open such a file, all of this can go."""
    path = torn(7)
    beside(path, "undo").unlink()
    with pytest.raises(StoreUnavailable, match="computed checksum .* does not match stored checksum"):
        count(path)


def test_it_is_put_back_before_anything_is_asked_of_the_file(torn: Callable[[int], Path]) -> None:
    path = torn(7)
    assert model_of(str(path), SPEC) == EMBEDDING
    assert count(path) == 10


def test_what_a_checkpoint_overwrote_that_ended_stays_so(torn: Callable[[int], Path], tmp_path: Path) -> None:
    path = torn(7)
    shutil.copyfile(tmp_path / "memory.duckdb", path)
    beside(path, "wal").unlink()
    assert count(path) == 10
    assert not beside(path, "undo").exists()


def test_what_another_process_has_set_aside_is_left_to_it(torn: Callable[[int], Path], tmp_path: Path) -> None:
    path, undo = tmp_path / "memory.duckdb", beside(torn(7), "undo")
    store = open_store(str(path), SPEC, EMBEDDING)
    shutil.copyfile(undo, beside(path, "undo"))
    second = subprocess.run([sys.executable, "-c", SECOND, str(path)], capture_output=True, text=True, check=False)
    assert "StoreInUse" in second.stderr
    assert beside(path, "undo").exists()
    store.close()
    assert count(path) == 10


def test_a_file_in_the_middle_of_a_checkpoint_is_not_copied(
    torn: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lamina.adapters.duckdb.snapshot._ATTEMPTS", 3)
    path = torn(7)
    with pytest.raises(StoreInUse, match="left in the middle of a checkpoint; .* open the file once"):
        snapshot(str(path), str(tmp_path / "copy"))
    assert count(path) == 10
    snapshot(str(path), str(tmp_path / "copy"))
    assert count(tmp_path / "copy") == 10


def test_a_long_log_is_moved_into_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LOG_LIMIT", 100_000)
    path, sizes = tmp_path / "memory.duckdb", []
    store = open_store(str(path), SPEC, EMBEDDING)
    for number in range(60):
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(str(number), body="long " * 390), 1, number)])
        sizes.append(beside(path, "wal").stat().st_size if beside(path, "wal").exists() else 0)
    store.close()
    assert 0 in sizes[10:], "none was moved before the end"
    assert max(sizes) <= 100_000
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert count(path) == 60


def test_where_nothing_can_be_set_aside_the_log_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "memory.duckdb"
    write(path, range(5))
    beside(path, "undo.new").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "LOG_LIMIT", 0)
        write(path, range(5, 10))
    assert beside(path, "wal").stat().st_size > 0
    assert caplog.messages[0].startswith(f"{path}: what is in its log stays there for now: [Errno 21] Is a directory")
    beside(path, "undo.new").rmdir()
    assert count(path) == 10
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("room", [200_000, 300_000, 1_000_000])
def test_a_checkpoint_that_finds_no_room_leaves_the_store_at_work(tmp_path: Path, room: int) -> None:
    """Not even what is set aside has room in the first; in the others, DuckDB fails on the way."""
    path = tmp_path / "memory.duckdb"
    command = [sys.executable, "-c", NO_ROOM, str(path), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "60\n"), done.stderr
    assert count(path) == 60
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_store_that_is_not_closed_is_when_python_ends(tmp_path: Path) -> None:
    path = tmp_path / "memory.duckdb"
    subprocess.run([sys.executable, "-c", UNCLOSED, str(path)], check=True)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert count(path) == 1
