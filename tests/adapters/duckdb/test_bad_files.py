"""Files and disks that fail: every fault is a real one, and every answer says what to do."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb.store import open_store
from lamina.domain.errors import SchemaMismatch, StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

FILLING = """
import resource, signal, sys
from lamina.adapters.duckdb.store import open_store
from lamina.domain.errors import StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
number = 0
try:
    while True:
        with store.unit(anchor()) as unit:
            body = f"{number}: " + "long " * 300
            unit.records.add([entry(record(f"{number} {part}", body=body), 1, lexemes=["long"]) for part in range(30)])
        print(number, flush=True)
        number += 1
except StoreUnavailable as error:
    print(error, file=sys.stderr)
store.close()
"""
ROOM = 4_000_000


@contextmanager
def unprivileged() -> Iterator[None]:
    """Root may write anywhere: whoever runs as root is nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that nobody else may write to, and that everybody may enter."""
    made = Path(tempfile.mkdtemp(prefix="lamina-bad-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    done = subprocess.run([sys.executable, "-c", FILLING, path, str(ROOM)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    acknowledged = int(done.stdout.split()[-1])
    assert acknowledged > 10
    assert re.fullmatch(r"store failed: .*File too large; nothing was written; .*\n", done.stderr), done.stderr
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        for number in range(acknowledged + 2):
            there = len(unit.records.get(record(f"{number} {part}").id for part in range(30)))
            assert there == (30 if number <= acknowledged else 0), "a unit is there or it is not, as was said"
        unit.records.add([entry(record("after"), 1)])
    store.close()


def test_a_file_that_may_not_be_written_to(folder: Path) -> None:
    path = folder / "memory.duckdb"
    open_store(str(path), SPEC, EMBEDDING).close()
    path.chmod(0o444)
    with unprivileged(), pytest.raises(StoreUnavailable, match=r"cannot be opened: .*; check the path and its rights"):
        open_store(str(path), SPEC, EMBEDDING)


@pytest.mark.parametrize("name", ["memory.duckdb", "deeper/memory.duckdb"])
def test_a_folder_that_may_not_be_written_to(folder: Path, name: str) -> None:
    folder.chmod(0o555)
    with unprivileged(), pytest.raises(StoreUnavailable, match=r"cannot be opened: .*; check the path and its rights"):
        open_store(str(folder / name), SPEC, EMBEDDING)


def test_a_folder_without_room_for_a_log(folder: Path) -> None:
    path = folder / "memory.duckdb"
    open_store(str(path), SPEC, EMBEDDING).close()
    path.chmod(0o666)
    folder.chmod(0o555)
    with unprivileged():
        store = open_store(str(path), SPEC, EMBEDDING)
        with pytest.raises(StoreUnavailable, match="store failed: "), store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
        store.close()
    folder.chmod(0o755)
    again = open_store(str(path), SPEC, EMBEDDING)
    with again.unit(anchor()) as unit:
        assert unit.records.get([record("a").id]) == {}
    again.close()


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("not a database, but long enough to have a header of some kind" * 100)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_store(str(tmp_path / "text.duckdb"), SPEC, EMBEDDING)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_store(str(tmp_path), SPEC, EMBEDDING)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_store(str(tmp_path / "text.duckdb" / "below.duckdb"), SPEC, EMBEDDING)


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    open_store(path, SPEC, EMBEDDING).close()
    with duckdb.connect(path) as connection:
        connection.execute("INSERT INTO lamina_migrations VALUES ('worlds.world_agent', '9999_future.sql', 'x')")
    with pytest.raises(SchemaMismatch, match=r"was made by a newer Lamina \(9999_future.sql\); upgrade lamina"):
        open_store(path, SPEC, EMBEDDING)
