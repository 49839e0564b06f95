"""What is put back of a checkpoint that was killed: torn blocks of the same file, and nothing else."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lamina.adapters.duckdb.checkpoints import _maps, _whole
from lamina.adapters.duckdb.open_file import OpenFile, leave, opened_file
from lamina.adapters.duckdb.snapshot import HEADERS
from lamina.adapters.duckdb.store import open_store, snapshot
from lamina.domain.errors import StoreUnavailable
from lamina.domain.selection import Selection
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

BLOCK = 256 * 1024
UNCLOSED = """
import os, sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
with store.unit(anchor()) as unit:
    unit.records.add([entry(record("logged"), 1)])
os._exit(0)
"""


def write(path: Path, name: str) -> None:
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1)])
    store.close()


def bodies(path: Path) -> set[str]:
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.reading(anchor()) as unit:
        found = {each.body for each in unit.records.get(unit.candidates.newest(Selection(), 99)).values()}
    store.close()
    return found


def set_aside(path: Path) -> bytes:
    """What a process leaves in `.undo` that is killed as a checkpoint begins."""
    file = opened_file(str(path))
    assert file.checkpoints is not None
    assert file.checkpoints._handle is not None
    file.checkpoints._set_aside(file.connection, file.checkpoints._handle)
    undo = path.with_name(f"{path.name}.undo")
    left = undo.read_bytes()
    undo.unlink()
    leave(file)
    return left


def test_a_backup_in_the_place_of_a_killed_file_stays_as_it_is(tmp_path: Path) -> None:
    """Its headers are those of the killed one: both made their checkpoint of the same generation."""
    path, backup, undo = (tmp_path / name for name in ("memory.duckdb", "backup", "memory.duckdb.undo"))
    write(path, "first")
    subprocess.run([sys.executable, "-c", UNCLOSED, str(path)], check=True)
    snapshot(str(path), str(backup))
    write(path, "later")
    left = set_aside(path)
    assert left[:HEADERS] == backup.read_bytes()[:HEADERS], "nothing tells them apart"
    assert left[-BLOCK:] not in backup.read_bytes(), "nothing would be lost"
    shutil.copyfile(backup, path)
    undo.write_bytes(left)
    assert bodies(path) == {"the fact about first", "the fact about logged"}
    assert not undo.exists()


def test_a_file_that_was_cut_off_gets_its_blocks_back(tmp_path: Path) -> None:
    path, undo = tmp_path / "memory.duckdb", tmp_path / "memory.duckdb.undo"
    write(path, "first")
    undo.write_bytes(set_aside(path))
    before = path.read_bytes()
    os.truncate(path, HEADERS + 5)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        bodies(path)
    assert path.read_bytes()[HEADERS:] == before[HEADERS : HEADERS + BLOCK]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[OpenFile]:
    """One with so many tables that two blocks say where everything is."""
    opened = opened_file(str(tmp_path / "memory.duckdb"))
    tables = (f"CREATE TABLE table_{number} (a BIGINT, b VARCHAR, c DOUBLE);" for number in range(1_500))
    opened.connection.execute("".join(["BEGIN;", *tables, "COMMIT; CHECKPOINT"]))
    yield opened
    leave(opened)


def test_a_block_is_whole_if_its_checksum_is_right(file: OpenFile) -> None:
    assert file.checkpoints is not None
    assert file.checkpoints._handle is not None
    places = _maps(file.connection)
    assert len(places) > 1, "the file is too small for the test"
    for begin, length in places:
        block = os.pread(file.checkpoints._handle, length, begin)
        assert _whole(block)
        for changed in (0, 8, length // 2, length - 1):
            assert not _whole(block[:changed] + bytes([block[changed] ^ 1]) + block[changed + 1 :])
