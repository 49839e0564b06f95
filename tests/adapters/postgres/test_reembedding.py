"""Re-embedding beside those who read, write and erase; and who may not do it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest

from lamina.adapters.postgres.large_cells import LargeCells
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.errors import NotPermitted, WrongModel
from lamina.domain.record import MemoryRecord
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive, tombstone
from lamina.domain.typology import CELLS, Cell, Typology
from lamina.ports.reembedding import Reembedding, Unembedded
from lamina.testing.contracts.reembedding import NEXT
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record, vector

if TYPE_CHECKING:
    from tests.conftest import Database

NAMES = Names.of(SPEC)
FACTS = Cell(Tier.PERSISTENT, Typology.SEMANTIC)


@pytest.fixture
def owner(database: Database) -> Iterator[PostgresStore]:
    store = open_store(database.as_owner, SPEC, EMBEDDING)
    yield store
    store.close()


@pytest.fixture
def application(database: Database) -> Iterator[PostgresStore]:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1) for name in ("a", "b", "c")])
    yield store
    store.close()


def vectors_for(records: list[Unembedded]) -> list[bytes]:
    return [vector(1) + bytes(16) for _ in records]


def embed_all(reembedding: Reembedding) -> None:
    while found := reembedding.missing(2):
        reembedding.add(found, vectors_for(found))


def near_indexes(database: Database) -> set[str]:
    with psycopg.connect(database.as_superuser) as connection:
        rows = connection.execute("SELECT indexname FROM pg_indexes WHERE indexdef ~ 'hnsw'").fetchall()
    return {name for (name,) in rows}


def test_an_applications_role_may_not(application: PostgresStore, owner: PostgresStore) -> None:
    """Nor is it told that nothing is left to do: row security would show it nothing."""
    role = application.reembedding
    with pytest.raises(NotPermitted, match="run `lamina reembed` as the schema's owner"):
        role.begin(NEXT)
    owner.reembedding.begin(NEXT)
    found = owner.reembedding.missing(9)
    for refused in (role.remaining, role.finish, role.drop_former, lambda: role.missing(9)):
        with pytest.raises(NotPermitted, match="lamina reembed"):
            refused()
    with pytest.raises(NotPermitted, match="lamina reembed"):
        role.add(found, vectors_for(found))
    assert owner.reembedding.remaining() == 3


def test_the_task_shows_an_applications_role_nothing(application: PostgresStore, database: Database) -> None:
    del application
    with psycopg.connect(database.as_application) as connection:
        connection.execute("SELECT set_config('lamina.task', 'reembed', true)")
        for table in ("memory", "embeddings"):
            assert connection.execute(f"SELECT count(*) FROM worlds.world_agent_{table}").fetchone() == (0,)


def test_what_was_erased_meanwhile_is_given_no_vector(application: PostgresStore, owner: PostgresStore) -> None:
    owner.reembedding.begin(NEXT)
    found = owner.reembedding.missing(9)
    archived = archive(entry(record("b"), 1).record, START, "stale")
    assert isinstance(archived, MemoryRecord)
    erased = tombstone(archived, 0, START, "asked for")
    assert isinstance(erased, MemoryRecord)
    with application.unit(anchor()) as unit:
        unit.records.change(archived)
        unit.records.change(erased)
    owner.reembedding.add(found, vectors_for(found))
    assert owner.reembedding.finish()
    assert owner.reembedding.drop_former() == 2


def test_nothing_is_switched_while_somebody_writes(application: PostgresStore, owner: PostgresStore) -> None:
    """A writer that has not committed yet is waited for, and what it wrote lacks a vector."""
    owner.reembedding.begin(NEXT)
    embed_all(owner.reembedding)
    with ThreadPoolExecutor(1) as pool:
        with application.unit(anchor()) as unit:
            unit.records.add([entry(record("late"), 1)])
            finishing = pool.submit(owner.reembedding.finish)
            with pytest.raises(TimeoutError):
                finishing.result(timeout=0.5)
        assert finishing.result(timeout=30) is False
    assert [one.memory_id for one in owner.reembedding.missing(9)] == [record("late").id]


def test_each_model_has_its_indexes_while_it_is_used(
    application: PostgresStore, owner: PostgresStore, database: Database
) -> None:
    def indexes(*used: EmbeddingChoice) -> set[str]:
        return {NAMES.near_index(cell, one.model) for one in used for cell in CELLS}

    del application
    assert near_indexes(database) == indexes(EMBEDDING)
    owner.reembedding.begin(NEXT)
    assert near_indexes(database) == indexes(EMBEDDING, NEXT)
    embed_all(owner.reembedding)
    assert owner.reembedding.finish()
    owner.reembedding.drop_former()
    assert near_indexes(database) == indexes(NEXT)


def test_the_next_models_vectors_are_found_by_their_index(
    application: PostgresStore, owner: PostgresStore, database: Database
) -> None:
    del application
    owner.reembedding.begin(NEXT)
    embed_all(owner.reembedding)
    assert owner.reembedding.finish()
    last = open_store(database.as_application, SPEC, NEXT)
    while last.maintain(9):
        pass
    last._statements.candidates.large = LargeCells(NAMES, NEXT, fewest=1)
    with last.unit(anchor()) as unit:
        assert last._statements.candidates.large.of(unit.records._transaction, frozenset([FACTS])) == {FACTS}
        assert len(unit.candidates.nearest(vector(1) + bytes(16), NEXT.model, Selection(), limit=3)) == 3
    last.close()


def test_only_the_stores_own_vectors_make_a_cell_large(application: PostgresStore, owner: PostgresStore) -> None:
    cells = LargeCells(NAMES, EMBEDDING, fewest=4)
    owner.reembedding.begin(NEXT)
    embed_all(owner.reembedding)
    with application.unit(anchor()) as unit:
        assert not cells.of(unit.records._transaction, frozenset([FACTS])), "three of six are its own"


def test_a_model_of_one_name_has_one_dimension(owner: PostgresStore) -> None:
    with pytest.raises(WrongModel, match="sample gives 9 numbers"):
        owner.reembedding.begin(EmbeddingChoice(model=EMBEDDING.model, dimension=9))
    assert owner.reembedding.remaining() == 0


def test_what_is_done_is_not_looked_at_again(application: PostgresStore, owner: PostgresStore) -> None:
    """Each batch begins behind the last; what was left out before it comes at the end."""
    owner.reembedding.begin(NEXT)
    everything = owner.reembedding.missing(9)
    owner.reembedding.add(everything[1:2], vectors_for(everything[1:2]))
    assert owner.reembedding.missing(9) == everything[2:]
    owner.reembedding.add(everything[2:], vectors_for(everything[2:]))
    assert owner.reembedding.missing(9) == everything[:1]
    with application.unit(anchor("other")) as unit:
        unit.records.add([entry(record("d", anchor("other")), 1)])
    assert owner.reembedding.remaining() == 2
