"""The same random history on both stores: every answer is the model's, so neither can be told from the other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.store import open_store as open_duckdb
from lamina.adapters.postgres.store import open_store as open_postgres
from lamina.ports.store import Store
from lamina.testing.samples import EMBEDDING, SPEC
from lamina.testing.state_machine import StoreMachine

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template

# LAMINA_HISTORIES=200 runs thousands of steps; by default it is a few hundred.
HISTORIES = settings(max_examples=int(os.environ.get("LAMINA_HISTORIES", "15")), stateful_step_count=30, deadline=None)


def test_neither_store_can_be_told_from_the_other(postgres_server: Server, template: Template) -> None:
    databases: list[Database] = []

    class Both(StoreMachine):
        def open_stores(self) -> list[Store]:
            databases.append(postgres_server.database(template(SPEC, EMBEDDING).name))
            url = databases[-1].as_application
            return [open_duckdb(MEMORY, SPEC, EMBEDDING), open_postgres(url, SPEC, EMBEDDING)]

        def teardown(self) -> None:
            super().teardown()
            databases.pop().drop()

    run_state_machine_as_test(Both, settings=HISTORIES)
