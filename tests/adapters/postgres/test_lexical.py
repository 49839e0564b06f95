"""Which way exact searches go, as the role that row security binds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from lamina.adapters.postgres.drawing import Asked
from lamina.adapters.postgres.selecting import values_of
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.adapters.postgres.transaction import UNBOUND
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Server, Template

ANCHORS = [anchor(f"org {number}") for number in range(8)]
MINE = ANCHORS[3]
MEMORIES = """
    INSERT INTO worlds.world_agent_memory (anchor_id, org_id, domain_id, id, tier, typology, tags, body_text, reach,
        recorded_at, valid_at, origin_session_id, origin_position, version)
    SELECT %(anchor_id)s, %(org_id)s, %(domain_id)s, gen_random_uuid(), 'persistent', 'semantic', '{}', 'a fact',
        'anchor', now(), now() - n * interval '1 minute', md5('session ' || n / 50)::uuid, mod(n, 50), 1
    FROM generate_series(1, %(many)s) AS n
"""
DOCUMENTS = """
    INSERT INTO worlds.world_agent_documents (anchor_id, memory_id, valid_at, length, terms, frequencies)
    SELECT anchor_id, id, valid_at, 3, ARRAY['gate', 'word ' || mod(origin_position, 40), '["k", "v"]'], '{1,2,1}'
    FROM worlds.world_agent_memory
"""
TABLES = "worlds.world_agent_memory, worlds.world_agent_documents, worlds.world_agent_postings"


@pytest.fixture(scope="module")
def many(postgres_server: Server, template: Template) -> Iterator[PostgresStore]:
    """20,000 records among several anchors, all but a few of them spread."""
    database = postgres_server.database(template(SPEC, EMBEDDING).name)
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        for whose in ANCHORS:
            connection.execute(MEMORIES, {"anchor_id": whose.id, "many": 2_500, **dict(whose.parts)})
        connection.execute(DOCUMENTS)
    store = open_store(database.as_application, SPEC, EMBEDDING)
    while store.maintain(5_000):
        pass
    with store.unit(MINE) as unit:
        unit.records.add([entry(record("fresh", MINE), lexemes=["gate"])])
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        connection.execute(f"VACUUM ANALYZE {TABLES}")
    yield store
    store.close()
    database.drop()


def plan(store: PostgresStore, statement: Statement, **more: Any) -> str:
    with store.reading(MINE) as unit:
        values = {**statement.fixed, "anchor_id": MINE.id, "limit": 10, **values_of(Selection()), **more}
        rows = unit.records._transaction.cursor.execute(b"EXPLAIN " + statement.text, values).fetchall()
    return "\n".join(row["QUERY PLAN"] for row in rows)


def searched(told: str, index: str, condition: str) -> bool:
    """Whether the index is searched by the condition, row by row or as a bitmap."""
    scan = rf"(Scan using|Bitmap Index Scan on) {index}\b.*\n\s+Index Cond: .*{re.escape(condition)}"
    return re.search(scan, told) is not None and "Seq Scan" not in told


def test_counting_reads_indexes_only(many: PostgresStore) -> None:
    told = plan(many, many._statements.candidates.counting, terms=["gate", "word 7"])
    assert "Index Only Scan using world_agent_documents_lengths" in told
    assert "Index Only Scan using world_agent_postings_pkey" in told
    assert "using world_agent_documents_fresh" in told
    assert "Seq Scan" not in told


def test_matching_is_served_by_indexes(many: PostgresStore) -> None:
    weights = {"terms": ["gate", "word 7"], "weights": [1.0, 2.0], "flat": 0.3, "slope": 0.1}
    told = plan(many, many._statements.candidates.matching, **weights)
    assert searched(told, "world_agent_postings_pkey", "term = asked.term")
    assert searched(told, "world_agent_documents_fresh", "anchor_id = ")
    assert searched(told, "world_agent_memory_pkey", "AND (id = ")


def test_tagged_is_served_by_indexes(many: PostgresStore) -> None:
    told = plan(many, many._statements.candidates.tagged, finding=['["k", "v"]'], asked=1)
    assert searched(told, "world_agent_postings_pkey", "term = asked.term")
    assert searched(told, "world_agent_memory_pkey", "AND (id = ")


def test_newest_walks_the_index_of_its_cell(many: PostgresStore) -> None:
    facts = frozenset([Cell(Tier.PERSISTENT, Typology.SEMANTIC)])
    told = plan(many, many._statements.candidates.newest(facts))
    assert "Index Scan Backward using world_agent_persistent_semantic" in told
    assert "Presorted Key" in told


def general_plan(store: PostgresStore, statement: Statement) -> str:
    """The one that a prepared statement has, whatever is asked."""
    with store.reading(MINE) as unit:
        cursor = unit.records._transaction.cursor
        rows = cursor.execute(b"EXPLAIN (GENERIC_PLAN) " + statement.numbered, binary=False).fetchall()
    return "\n".join(row["QUERY PLAN"] for row in rows)


EVERY_WAY = (Signal.SEMANTIC, Signal.LEXICAL, Signal.TAGS)


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize(("finding", "given"), [(EVERY_WAY, False), (EVERY_WAY[1:], True), ((), True)])
def test_a_draw_is_served_by_indexes(
    many: PostgresStore, finding: tuple[Signal, ...], given: bool, labels: bool
) -> None:
    told = general_plan(many, many._statements.candidates.drawing(Asked(finding, labels, given)))
    assert "Seq Scan" not in told
    nearby = "(origin_session_id = sessions.session_id) AND (origin_position = ANY (sessions.positions))"
    assert searched(told, "world_agent_memory_origins", nearby)
    assert searched(told, "world_agent_memory_pkey", "AND (id = ")
    assert searched(told, "world_agent_corroborations_of_memory", "memory_id = ANY")
    assert searched(told, "world_agent_embeddings_cells", "(cell = small.cell)") == (Signal.SEMANTIC in finding)
    assert searched(told, "world_agent_postings_pkey", "memory_id = ANY") == labels


def test_what_a_query_names_is_looked_up_and_not_counted(many: PostgresStore) -> None:
    told = plan(many, many._statements.candidates.there, terms=["gate", "word 7"])
    assert "world_agent_postings_pkey" in told
    assert "Aggregate" not in told.replace("HashAggregate", "")
    assert searched(told, "world_agent_documents_fresh", "anchor_id = ")


def test_both_halves_are_found_together(many: PostgresStore) -> None:
    with many.reading(MINE) as unit:
        found = unit.candidates.matching(["gate"], Selection(), limit=3_000)
        assert len(found) == 2_501
        assert record("fresh").id in found
        assert len(unit.candidates.matching(["gate", "word 7"], Selection(), limit=10)) == 10
        assert len(unit.candidates.tagged({"k": "v"}, Selection(), limit=3_000)) == 2_500


def test_maintenance_with_nothing_to_do_reads_no_table(many: PostgresStore) -> None:
    """What is left to do is found by the partial indexes, whatever the planner thinks of the tables."""
    while many.maintain(5_000):
        pass
    with many._borrowing.begun(UNBOUND) as connection:
        whole = "SELECT sum(seq_scan)::int FROM pg_stat_xact_user_tables WHERE relname ~ 'documents|embeddings'"
        connection.execute("SELECT worlds.world_agent_mark_indexed(9), worlds.world_agent_spread_documents(9)")
        assert connection.execute(whole).fetchone() == (0,)
