"""Copies of a file: beside the process that writes to it, and by that process."""

import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.store import open_store, snapshot
from lamina.domain.errors import StoreError, StoreInUse, StoreUnavailable
from lamina.domain.selection import Selection
from lamina.testing.contracts.contradictions import contradiction, link
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, rule, vector

WRITER = """
import sys
from lamina.adapters.duckdb import checkpoints
from lamina.adapters.duckdb.store import open_store
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
# The log is checkpointed every few units.
checkpoints.LOG_LIMIT = 300_000
store = open_store(sys.argv[1], SPEC, EMBEDDING)
number = 0
while True:
    body = f"{number}: " + "long " * 390
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(f"{number} {part}", body=body), 1, number) for part in range(20)])
    print(number, flush=True)
    number += 1
"""


def written(path: Path) -> int:
    """How many units a copy holds; they are whole, and none is left out."""
    store = open_store(str(path), SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        found = set(unit.candidates.newest(Selection(), limit=10**6))
        assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, Selection(), limit=10**6)) == found
        assert len(unit.records.get(found)) == len(found)
    store.close()
    units, rest = divmod(len(found), 20)
    assert rest == 0, "half of a unit was copied"
    assert found == {record(f"{number} {part}").id for number in range(units) for part in range(20)}
    return units


def test_a_copy_beside_a_writer_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "memory.duckdb"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = [int(writer.stdout.readline())]

    def listen(output: Iterable[str]) -> None:
        acknowledged.extend(int(line) for line in output if line.strip())

    listener = threading.Thread(target=listen, args=[writer.stdout])
    listener.start()
    copies = []
    try:
        for number in range(10):
            before = acknowledged[-1]
            snapshot(str(path), str(tmp_path / f"copy {number}.duckdb"))
            copies.append((before, acknowledged[-1]))
    finally:
        writer.kill()
        listener.join()
        writer.wait()
        writer.stdout.close()
    assert copies[-1][0] > copies[0][0], "nothing was written meanwhile"
    for number, (before, after) in enumerate(copies):
        # The unit that comes after the last acknowledged one may be on its way, or not yet acknowledged.
        assert before + 1 <= written(tmp_path / f"copy {number}.duckdb") <= after + 3
    assert {each.suffix for each in tmp_path.iterdir() if "copy" in each.name} == {".duckdb"}, "one file each"


def test_a_file_that_nobody_holds_is_copied(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(f"0 {part}"), 1) for part in range(20)])
    store.close()
    snapshot(str(tmp_path / "memory.duckdb"), str(tmp_path / "deep" / "copy.duckdb"))
    assert written(tmp_path / "deep" / "copy.duckdb") == 1


def test_a_file_that_never_stands_still_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamina.adapters.duckdb.snapshot._ATTEMPTS", 3)
    path, target = tmp_path / "memory.duckdb", tmp_path / "copy.duckdb"
    open_store(str(path), SPEC, EMBEDDING).close()
    path.with_name("memory.duckdb.wal.checkpoint").write_bytes(b"a checkpoint that does not end")
    with pytest.raises(StoreInUse, match="is written to faster than it can be copied"):
        snapshot(str(path), str(target))
    assert not [each for each in tmp_path.iterdir() if "copy" in each.name]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING)
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(StoreError, match="taken is there already; give a name that is not taken"):
        store.snapshot(str(tmp_path / "taken"))
    store.close()
    with pytest.raises(StoreError, match="taken is there already; give a name that is not taken"):
        snapshot(str(tmp_path / "memory.duckdb"), str(tmp_path / "taken"))
    assert (tmp_path / "taken").read_text() == "mine"


def test_only_a_database_is_copied(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database")
    with pytest.raises(StoreUnavailable, match="nowhere is not there"):
        snapshot(str(tmp_path / "nowhere"), str(tmp_path / "copy"))
    with pytest.raises(StoreUnavailable, match="text is no DuckDB file"):
        snapshot(str(tmp_path / "text"), str(tmp_path / "copy"))
    with pytest.raises(StoreUnavailable, match="is not there"):
        snapshot(str(tmp_path), str(tmp_path / "copy"))


def test_a_target_that_cannot_be_written(tmp_path: Path) -> None:
    open_store(str(tmp_path / "memory.duckdb"), SPEC, EMBEDDING).close()
    (tmp_path / "text").write_text("no folder")
    with pytest.raises(StoreUnavailable, match="could not be written: .*; check its folder's rights"):
        snapshot(str(tmp_path / "memory.duckdb"), str(tmp_path / "text" / "copy"))


@pytest.mark.parametrize("name", [MEMORY, "it's memory.duckdb"])
def test_the_process_that_writes_copies_by_itself(tmp_path: Path, name: str) -> None:
    store = open_store(name if name == MEMORY else str(tmp_path / name), SPEC, EMBEDDING)
    one, other, known = record("one"), record("other"), rule("r", "Cite sources.")
    with store.unit(anchor()) as unit:
        unit.rules.add([known])
        unit.records.add([entry(one, 1, lexemes=["cite"]), entry(other, 0, 1)])
        unit.rule_references.add(one.id, [known.ref])
        unit.corroborations.add([corroboration("c", one.id)])
        unit.contradictions.add([contradiction("c", one.id, known.ref)])
        unit.action_links.add([link(one.id)])
    target = tmp_path / "a copy's name.duckdb"
    store.snapshot(str(target))
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("later"), 1)])
    copy = open_store(str(target), SPEC, EMBEDDING)
    with copy.unit(anchor()) as unit:
        assert set(unit.records.get([one.id, other.id, record("later").id])) == {one.id, other.id}
        assert set(unit.candidates.matching(["cite"], Selection(), limit=9)) == {one.id}
        assert unit.rule_references.of(one.id) == {known.ref}
        assert len(unit.contradictions.of(one.id)) == len(unit.action_links.of(one.id)) == 1
        unit.records.add([entry(record("of the copy"), 1)])
    with pytest.raises(StoreError, match=str(one.id)), copy.unit(anchor()) as unit:
        unit.records.add([entry(one, 1)])
    copy.close()
    store.close()
    assert not target.with_name(f"{target.name}.wal").exists()


FULL = """
import resource, signal, sys
from lamina.adapters.duckdb.store import open_store
from lamina.domain.errors import StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
with store.unit(anchor()) as unit:
    unit.records.add([entry(record(f"0 {part}", body=f"{part} " + "long " * 390), 1) for part in range(20)])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, most))
try:
    store.snapshot(sys.argv[2])
except StoreUnavailable as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
with store.unit(anchor()) as unit:
    unit.records.add([entry(record(f"1 {part}"), 1) for part in range(20)])
store.close()
"""


def test_a_copy_that_finds_no_room_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path, target = tmp_path / "memory.duckdb", tmp_path / "copy.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(target)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{target} could not be written: ")
    assert not [each for each in tmp_path.iterdir() if "copy" in each.name]
    assert written(path) == 2
