"""Migrations: what they make is what the tables declare, running them again changes nothing, two at once are safe."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import create_engine

from lamina.adapters.postgres.access import grant_access
from lamina.adapters.postgres.column_types import ENUMS
from lamina.adapters.postgres.migrate import migrate
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.store import open_store
from lamina.adapters.postgres.tables import Tables
from lamina.domain.agents import SHIPPED
from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.errors import SchemaMismatch, StoreError, UnknownRule
from lamina.domain.ids import SessionId
from lamina.domain.scope import SessionScope
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.typology import CELLS
from lamina.ports.store import Store
from lamina.testing.contracts.contradictions import contradiction
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, rule, uuid

if TYPE_CHECKING:
    from tests.conftest import Database, Server, Template

NAMES = Names.of(SPEC)
RULES = SPEC.persistence.canonical or pytest.fail("the sample spec names a canonical table")

COLUMNS = """
    SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND relname !~ 'revision$'
    ORDER BY relname, attnum
"""
KEYS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = %s::regnamespace AND contype IN ('p', 'f', 'c', 'x')
        AND conrelid::regclass::text !~ 'revision$'
    ORDER BY 1, 2
"""
FIRST_OF_KEYS = """
    SELECT relname, conname, attname
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE connamespace = %s::regnamespace AND contype IN ('p', 'f', 'u')
"""
LABELS = """
    SELECT typname, array_agg(enumlabel::text ORDER BY enumsortorder)
    FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
    WHERE typnamespace = %s::regnamespace GROUP BY typname ORDER BY typname
"""
EVERYTHING = """
    SELECT relname, relkind, pg_get_indexdef(oid), relacl::text FROM pg_class
    WHERE relnamespace = %s::regnamespace ORDER BY relname
"""


def catalog(url: str, query: str, schema: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode(), [schema]).fetchall()


@pytest.mark.parametrize("spec", SHIPPED.values(), ids=list(SHIPPED))
def test_migrations_make_what_the_tables_declare(
    spec: AgentMemorySpec, template: Template, empty_database: Database
) -> None:
    migrated, names = template(spec, EMBEDDING), Names.of(spec)
    with psycopg.connect(empty_database.as_superuser) as connection:
        connection.execute(f"CREATE SCHEMA {names.schema}; CREATE EXTENSION btree_gist")
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(empty_database.as_superuser))
    Tables(names).metadata.create_all(engine)
    engine.dispose()
    for query in (COLUMNS, KEYS, LABELS):
        declared = catalog(empty_database.as_superuser, query, names.schema)
        assert declared
        assert catalog(migrated.as_superuser, query, names.schema) == declared


@pytest.mark.parametrize("spec", SHIPPED.values(), ids=list(SHIPPED))
def test_every_key_is_led_by_the_anchor(spec: AgentMemorySpec, template: Template) -> None:
    """So that the same schema can be partitioned or distributed by it. A canonical table's keys are its owner's."""
    names = Names.of(spec)
    led = catalog(template(spec, EMBEDDING).as_superuser, FIRST_OF_KEYS, names.schema)
    owners = {"rules", names.own("meta"), names.own("revision")}
    of_rules = {names.own(name) for name in ("rule_refs_rule", "contradicted_rule")}
    assert len(led) > 12
    assert [row for row in led if row[2] != "anchor_id" and row[0] not in owners and row[1] not in of_rules] == []


def test_every_word_of_the_domain_is_in_its_enum(database: Database) -> None:
    labels = dict(catalog(database.as_superuser, LABELS, NAMES.schema))
    assert labels == {NAMES.own(name): [member.value for member in words] for name, words in ENUMS.items()}


def test_every_cell_has_its_partial_indexes(database: Database) -> None:
    """D3: one for its records, and one for its vectors."""
    found = {name: text for name, _, text, _ in catalog(database.as_superuser, EVERYTHING, NAMES.schema)}
    for cell in CELLS:
        where = found[NAMES.cell_index(cell)].partition("WHERE")[2]
        assert f"'{cell.tier}'" in where
        assert f"'{cell.typology}'" in where
        near = found[NAMES.near_index(cell, EMBEDDING.model)]
        assert "USING hnsw" in near
        assert f"indexed AND (cell = '{cell}'::text)" in near


def test_running_it_again_changes_nothing(database: Database) -> None:
    before = catalog(database.as_superuser, EVERYTHING, NAMES.schema)
    migrate(database.as_owner, SPEC, EMBEDDING, create_canonical=True)
    grant_access(database.as_owner, SPEC, database.server.application, keeps_rules=True)
    assert catalog(database.as_superuser, EVERYTHING, NAMES.schema) == before


def test_two_at_once_are_safe(empty_database: Database) -> None:
    def run(_: int) -> None:
        migrate(empty_database.as_owner, SPEC, EMBEDDING, create_canonical=True)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(run, range(3)))
    open_store(empty_database.as_owner, SPEC, EMBEDDING).close()


def test_an_index_that_an_interrupted_build_left_behind_is_built_anew(database: Database) -> None:
    index = f"worlds.{NAMES.near_index(CELLS[0], EMBEDDING.model)}"
    with psycopg.connect(database.as_superuser, autocommit=True) as connection:
        connection.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [index])
        migrate(database.as_owner, SPEC, EMBEDDING)
        row = connection.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass", [index])
        assert row.fetchone() == (True,)


def test_writers_go_on_while_an_index_is_built(database: Database) -> None:
    """Outside any transaction, and concurrently: a build that waits for one writer holds up no other."""
    index = NAMES.near_index(CELLS[0], EMBEDDING.model)
    building = "SELECT count(*) FROM pg_stat_progress_create_index WHERE command = 'CREATE INDEX CONCURRENTLY'"
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser, ThreadPoolExecutor(2) as pool:
        superuser.execute(f"DROP INDEX worlds.{index}")
        with store.unit(anchor()) as slow:
            slow.records.add([entry(record("slow"), 1)])
            migrating = pool.submit(migrate, database.as_owner, SPEC, EMBEDDING)
            until = time.monotonic() + 20
            while superuser.execute(building).fetchone() == (0,):
                assert time.monotonic() < until, "no index is built concurrently"
                time.sleep(0.01)
            pool.submit(_write, store, anchor("other")).result(timeout=20)
            assert not migrating.done()
        migrating.result(timeout=60)
    store.close()
    assert index in {name for name, *_ in catalog(database.as_superuser, EVERYTHING, NAMES.schema)}


def _write(store: Store, whose: Anchor) -> None:
    with store.unit(whose) as unit:
        unit.records.add([entry(record("meanwhile", whose), 1)])


def test_a_canonical_table_of_another_owner_is_used_as_it_is(empty_database: Database) -> None:
    with psycopg.connect(empty_database.as_owner) as connection:
        connection.execute(
            "CREATE SCHEMA worlds; CREATE TABLE worlds.rules (rule_id uuid, world_version text, org_id text, domain_id"
            " text, body_text text, author text, PRIMARY KEY (org_id, domain_id, rule_id, world_version))"
        )
    migrate(empty_database.as_owner, SPEC, EMBEDDING, create_canonical=True)
    with psycopg.connect(empty_database.as_owner) as connection:
        rules = connection.execute("SELECT relrowsecurity FROM pg_class WHERE oid = 'worlds.rules'::regclass")
        assert rules.fetchone() == (False,)


@pytest.mark.parametrize(
    "columns",
    [
        "rule_id uuid, org_id text, domain_id text, body_text text",
        "rule_id uuid, world_version text, org_id text, domain_id text, body_text text",
        "rule_id uuid, world_version text, org_id text, domain_id text,"
        " PRIMARY KEY (org_id, domain_id, rule_id, world_version)",
    ],
    ids=["no version", "no key", "no body"],
)
def test_a_canonical_table_that_does_not_fit_is_said(empty_database: Database, columns: str) -> None:
    with psycopg.connect(empty_database.as_owner) as connection:
        connection.execute(f"CREATE SCHEMA worlds; CREATE TABLE worlds.rules ({columns})")
    with pytest.raises(SchemaMismatch, match="the spec names"):
        migrate(empty_database.as_owner, SPEC, EMBEDDING)


OWNERS = {"rule_id": "uuid", "world_version": "text", "org_id": "text", "domain_id": "varchar(40)", "body_text": "text"}


@pytest.mark.parametrize(
    ("column", "kind", "says"),
    [
        ("world_version", "integer", r"world_version is of type integer, not text; .*\(world_version::text\) will do"),
        ("rule_id", "bigint", r"rule_id is of type bigint, not uuid"),
        ("org_id", "uuid", r"org_id is of type uuid, not text"),
    ],
)
def test_a_canonical_table_of_other_types_is_said(empty_database: Database, column: str, kind: str, says: str) -> None:
    columns = ", ".join(f"{name} {type_}" for name, type_ in (OWNERS | {column: kind}).items())
    key = "PRIMARY KEY (org_id, domain_id, rule_id, world_version)"
    with psycopg.connect(empty_database.as_owner) as connection:
        connection.execute(f"CREATE SCHEMA worlds; CREATE TABLE worlds.rules ({columns}, {key})")
    with pytest.raises(SchemaMismatch, match=says):
        migrate(empty_database.as_owner, SPEC, EMBEDDING)
    assert {name for name, *_ in catalog(empty_database.as_superuser, EVERYTHING, "worlds")} == {"rules", "rules_pkey"}


def test_a_numbered_version_can_be_referred_to_as_text(empty_database: Database) -> None:
    """What the refusal says is what works: a generated column, in a unique key with the others."""
    with psycopg.connect(empty_database.as_owner) as connection:
        connection.execute(
            "CREATE SCHEMA worlds; CREATE TABLE worlds.rules (rule_id uuid, number integer, org_id text, domain_id text"
            ", body_text text, world_version text GENERATED ALWAYS AS (number::text) STORED,"
            " PRIMARY KEY (org_id, domain_id, rule_id, number), UNIQUE (org_id, domain_id, rule_id, world_version))"
        )
        connection.execute("INSERT INTO worlds.rules VALUES (%s, 7, 'acme', 'kyc', 'Cite sources.')", [uuid("r")])
    migrate(empty_database.as_owner, SPEC, EMBEDDING)
    grant_access(empty_database.as_owner, SPEC, empty_database.server.application)
    store = open_store(empty_database.as_application, SPEC, EMBEDDING)
    known = rule("r", "Cite sources.", version="7")
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
        unit.rule_references.add(record("a").id, [known.ref])
        assert unit.rules.get([known.ref]) == [known]
    with pytest.raises(UnknownRule), store.unit(anchor()) as unit:
        unit.rule_references.add(record("a").id, [rule("r", "", version="8").ref])
    store.close()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"body_bound": 900}, "body bound: 2000, not 900"),
        ({"partitions": 2}, "partitions: 1, not 2"),
        ({"canonical": RULES.model_copy(update={"body_column": "words"})}, 'canonical table: .*"words"'),
        ({"contradictions": False, "partitions": 2}, "contradictions: true, not false; partitions: 1, not 2"),
    ],
    ids=["body bound", "partitions", "canonical", "two things"],
)
def test_a_spec_of_another_shape_is_refused(database: Database, change: dict[str, Any], says: str) -> None:
    other = SPEC.model_copy(update={"persistence": SPEC.persistence.model_copy(update=change)})
    with pytest.raises(SchemaMismatch, match=says):
        open_store(database.as_application, other, EMBEDDING)
    before = catalog(database.as_superuser, EVERYTHING, NAMES.schema)
    with pytest.raises(SchemaMismatch, match=says):
        migrate(database.as_owner, other, EMBEDDING, create_canonical=True)
    assert catalog(database.as_superuser, EVERYTHING, NAMES.schema) == before


@pytest.mark.parametrize("spec", SHIPPED.values(), ids=list(SHIPPED))
def test_every_shipped_spec_can_be_used(spec: AgentMemorySpec, template: Template, postgres_server: Server) -> None:
    database = postgres_server.database(template(spec, EMBEDDING).name)
    whose = Anchor(tuple((name, "x") for name in spec.persistent_anchor.names))
    store = open_store(database.as_application, spec, EMBEDDING)
    fact = record("a", whose)
    with store.unit(whose) as unit:
        unit.records.add([entry(fact, 1)])
        assert set(unit.records.get([fact.id])) == {fact.id}
        assert unit.rules.closest("anything") is None
        assert unit.rules.get([rule("r", "").ref]) == []
        assert unit.rule_references.of(fact.id) == frozenset()
        assert unit.corroborations.of(fact.id) == []
        if spec.persistence.canonical is None:
            with pytest.raises(UnknownRule, match="name a canonical table"):
                unit.rules.add([rule("r", "A rule.")])
            with pytest.raises(UnknownRule, match="name a canonical table"):
                unit.rule_references.add(fact.id, [rule("r", "").ref])
        assert unit.contradictions.of(fact.id) == []
        assert unit.scope_cleanup.contents(SessionScope(whose, SessionId(uuid("session")))) == []
        if not spec.persistence.contradictions:
            assert unit.contradictions.with_status(ContradictionStatus.OPEN, limit=9) == []
            with pytest.raises(StoreError, match="not kept"):
                unit.contradictions.add([contradiction("c", fact.id, fact.id)])
        elif spec.persistence.canonical is None:
            with pytest.raises(UnknownRule, match="name a canonical table"):
                unit.contradictions.add([contradiction("c", fact.id, rule("r", "").ref)])
        if not spec.persistence.corroborations:
            with pytest.raises(StoreError, match="not kept"):
                unit.corroborations.add([corroboration("c", fact.id)])
    store.close()
    database.drop()
