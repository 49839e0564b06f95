"""A copy of a store, taken by whoever holds it and by whoever does not."""

import subprocess
import sys
from pathlib import Path

import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import StoreError, StoreInUse

EMBEDDER = HashingEmbedder()


def test_the_process_that_writes_can_copy_and_goes_on(tmp_path: Path) -> None:
    source, copy = str(tmp_path / "memory.duckdb"), str(tmp_path / "copy.duckdb")
    with lamina.open(source, embedder=EMBEDDER) as memory:
        ann = memory.at(user_id="ann")
        ann.prefer("Tea without milk")
        lamina.snapshot(source, copy)
        ann.prefer("Never on Mondays")
        with lamina.open(copy, embedder=EMBEDDER) as copied:
            hits = copied.at(user_id="ann").recall("what does she like?")
            assert [hit.record.body for hit in hits] == ["Tea without milk"]
    again = str(tmp_path / "again.duckdb")
    lamina.snapshot(source, again)
    with lamina.open(again, embedder=EMBEDDER) as copied:
        assert len(copied.at(user_id="ann").recall("what does she like?")) == 2


def test_a_copy_in_the_writers_process_does_not_let_others_in(tmp_path: Path) -> None:
    source = str(tmp_path / "memory.duckdb")
    with lamina.open(source, embedder=EMBEDDER):
        lamina.snapshot(source, str(tmp_path / "copy.duckdb"))
        code = f"import lamina; lamina.open({source!r})"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert StoreInUse.__name__ in found.stderr, "the lock on the file is still held"


def test_a_server_has_tools_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="use pg_dump"):
        lamina.snapshot("postgresql://localhost/x", str(tmp_path / "copy.duckdb"))
