"""A server that goes away while a store is open, and comes back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from tests.conftest import Database, Server, serving, with_vector

from lamina.adapters.postgres.migrate import migrate
from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import StoreUnavailable
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

SAID = "cannot be reached: .*; check that the server runs, and the host and the port in the URL"


def test_it_is_said_in_words_and_the_store_goes_on_when_it_is_back() -> None:
    with tempfile.TemporaryDirectory(prefix="lamina-pg-") as folder:
        with serving(Path(folder)) as url:
            database = with_vector(Database(Server(url, "postgres", "postgres"), "postgres"))
            migrate(database.as_superuser, SPEC, EMBEDDING, create_canonical=True)
            store = open_store(database.as_superuser, SPEC, EMBEDDING)
            with store.unit(anchor()) as unit:
                unit.records.add([entry(record("a"), 1)])
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=SAID), store.unit(anchor()) as unit:
                unit.records.add([entry(record("b"), 1)])
        with serving(Path(folder)):
            with store.unit(anchor()) as unit:
                assert set(unit.records.get([record("a").id, record("b").id])) == {record("a").id}
                unit.records.add([entry(record("b"), 1)])
            store.close()
