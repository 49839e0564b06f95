"""Behind a transaction pooler: each transaction may meet another session, and what others left in it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.adapters.postgres.pooler import pooled

from lamina.adapters.postgres.store import open_store
from lamina.domain.selection import Selection
from lamina.ports.store import Store
from lamina.testing.contracts import StoreContract
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database

SESSIONS = 3


@pytest.fixture
def url(database: Database) -> Iterator[str]:
    # A short path: the name of a socket may have about a hundred characters.
    with (
        tempfile.TemporaryDirectory(prefix="lamina-") as folder,
        pooled(database.as_application, Path(folder), SESSIONS) as url,
    ):
        yield url


class TestBehindAPooler(StoreContract):
    """The same word is kept."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        store = open_store(url, SPEC, EMBEDDING)
        yield store
        store.close()


def test_each_transaction_meets_another_session(url: str) -> None:
    store = open_store(url, SPEC, EMBEDDING)
    met = set()
    for number in range(2 * SESSIONS):
        whose = anchor("acme", f"domain {number}")
        with store.unit(whose) as unit:
            unit.records.add([entry(record(f"{number} {part}", whose), 1) for part in range(30)])
            row = unit.records._transaction.connection.execute("SELECT pg_backend_pid()").fetchone()
            met.add(row)
    store.close()
    assert len(met) == SESSIONS
    # What is left in them tells nothing, prepares nothing and stages nothing.
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as raw:
        for _ in range(SESSIONS):
            assert raw.execute("SELECT current_setting('lamina.anchor_id', true)").fetchone() in ((None,), ("",))
            assert raw.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
            assert raw.execute("SELECT count(*) FROM worlds.world_agent_memory").fetchone() == (0,)


def test_a_session_of_ones_own_keeps_what_was_planned_in_it(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    for _ in range(3):
        with store.reading(anchor()) as unit:
            unit.candidates.matching(["gate"], Selection(), limit=3)
            asked = unit.records._transaction.connection.execute("SELECT count(*) FROM pg_prepared_statements")
            assert asked.fetchone() == (2,), "what counts and what there is; nothing is matched, as nothing is known"
    store.close()


def test_only_what_reads_is_planned_once_for_all(database: Database) -> None:
    """A trigger that looks for copies of rules is planned for the text in hand: the general plan took fifteen times as
    long."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    told = {}
    for name, unit_of in (("reading", store.reading), ("writing", store.unit)):
        with unit_of(anchor()) as unit:
            asked = "SELECT current_setting('plan_cache_mode'), current_setting('enable_seqscan')"
            told[name] = unit.records._transaction.connection.execute(asked).fetchone()
    store.close()
    assert told == {"reading": ("force_generic_plan", "off"), "writing": ("auto", "on")}
