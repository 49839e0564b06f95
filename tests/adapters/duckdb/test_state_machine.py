"""Random histories on DuckDB."""

from hypothesis import settings

from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.store import open_store
from lamina.ports.store import Store
from lamina.testing.samples import EMBEDDING, SPEC
from lamina.testing.state_machine import StoreMachine


class InMemory(StoreMachine):
    """One store, in memory."""

    def open_stores(self) -> list[Store]:
        return [open_store(MEMORY, SPEC, EMBEDDING)]


InMemory.TestCase.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestInMemory = InMemory.TestCase
