"""A disk without room: the server's own error, named, and nothing half-written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database

FULL = Path("/dev/full")


def put_on_a_full_disk(database: Database, table: str) -> None:
    """The file of an empty table becomes a device on which there is never room."""
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        row = connection.execute(
            "SELECT current_setting('data_directory'), pg_relation_filepath(%s), pg_relation_size(%s)", [table, table]
        ).fetchone()
    assert row is not None
    folder, file, size = row
    assert size == 0
    path = Path(folder) / file
    if not (FULL.exists() and path.exists()):
        pytest.skip("the server's files are not at hand here")
    path.unlink()
    path.symlink_to(FULL)


@pytest.mark.parametrize("count", [1, 40], ids=["one by one", "many"])
def test_what_finds_no_room_is_not_there_at_all(database: Database, count: int) -> None:
    put_on_a_full_disk(database, "worlds.world_agent_embeddings")
    store = open_store(database.as_application, SPEC, EMBEDDING)
    facts = [record(f"fact {number}") for number in range(count)]
    says = "the server is full: .*No space left.*; make room; nothing was written"
    with pytest.raises(StoreUnavailable, match=says), store.unit(anchor()) as unit:
        unit.records.add([entry(fact, 1) for fact in facts])
    with store.unit(anchor()) as unit:
        assert unit.records.get([fact.id for fact in facts]) == {}
    store.close()
