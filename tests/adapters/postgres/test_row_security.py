"""Row security over raw SQL, as a role that owns nothing: the wall between anchors stands without our code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.store import open_store
from lamina.adapters.postgres.tables import Tables
from lamina.domain.anchor import Anchor
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record, rule, uuid

if TYPE_CHECKING:
    from tests.conftest import Database

NAMES = Names.of(SPEC)
MINE, THEIRS = anchor("acme"), anchor("other")
TABLES = [Identifier(NAMES.schema, NAMES.own(table)) for table in (*NAMES.tables, *NAMES.prompt_tables)]
MEMORY = Identifier(NAMES.schema, NAMES.own("memory"))
RULES = Identifier("worlds", "rules")
COPY = SQL(
    "INSERT INTO {memory} ({columns}) SELECT {columns} FROM ("
    "SELECT (jsonb_populate_record(row, %s::jsonb)).* FROM {memory} AS row) AS changed"
).format(
    memory=MEMORY,
    columns=SQL(", ").join(
        Identifier(column.name) for column in Tables(NAMES)["memory"].columns if column.server_default is None
    ),
)


@pytest.fixture
def written(database: Database) -> Database:
    """Both anchors have something in every table."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    for whose in (MINE, THEIRS):
        with store.unit(whose) as unit:
            unit.rules.add([rule("r", f"A rule of {whose}.")])
            unit.records.add([entry(record("a", whose), 1)])
            unit.rule_references.add(record("a").id, [rule("r", "").ref])
            unit.corroborations.add([corroboration("c", record("a").id)])
    store.close()
    with psycopg.connect(database.as_superuser) as connection:
        for whose in (MINE, THEIRS):
            _fill_the_rest(connection, whose)
    return database


def _fill_the_rest(connection: Connection[Any], whose: Anchor) -> None:
    ids = {"anchor_id": whose.id, "memory_id": record("a").id, "id": uuid("id"), "at": START}
    ids |= dict(whose.parts)
    for table, columns, values in [
        ("documents", "memory_id, valid_at, length, terms, frequencies", "%(memory_id)s, %(at)s, 4, '{gate}', '{1}'"),
        ("postings", "term, memory_id, valid_at, tf, length", "'gate', %(memory_id)s, %(at)s, 1, 4"),
        ("action_links", "kind, ref, memory_id, linked_at", "'promotion', '7', %(memory_id)s, %(at)s"),
        ("decisions", "id, verb, decided_at, decision, reason", "%(id)s, 'observe', %(at)s, 'ADD', 'seen'"),
        ("injections", "session_id, injected_at, memory_id", "%(id)s, %(at)s, %(memory_id)s"),
        ("decision_records", "decision_id, position, memory_id", "%(id)s, 0, %(memory_id)s"),
        (
            "rule_contradictions",
            "org_id, domain_id, id, memory_id, rule_id, observed_at, status",
            "%(org_id)s, %(domain_id)s, %(id)s, %(memory_id)s, %(id)s, %(at)s, 'open'",
        ),
        (
            "contradiction_history",
            "contradiction_id, position, status, changed_at, notes",
            "%(id)s, 0, 'open', %(at)s, 'x'",
        ),
    ]:
        text = f"INSERT INTO worlds.{NAMES.own(table)} (anchor_id, {columns}) VALUES (%(anchor_id)s, {values})"
        connection.execute(text, ids)


@pytest.fixture
def raw(written: Database) -> Iterator[Connection[Any]]:
    """A connection without any of our code, in one transaction."""
    with psycopg.connect(written.as_application) as connection:
        yield connection
        connection.rollback()


def bind(connection: Connection[Any], whose: Anchor) -> None:
    settings = {"lamina.anchor_id": str(whose.id)} | {f"lamina.key.{name}": value for name, value in whose.parts}
    for name, value in settings.items():
        connection.execute("SELECT set_config(%s, %s, true)", [name, value])


def count(connection: Connection[Any], table: Identifier) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM {}").format(table)).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("table", [*TABLES, RULES], ids=str)
def test_without_a_setting_there_are_no_rows(raw: Connection[Any], table: Identifier) -> None:
    assert count(raw, table) == 0


@pytest.mark.parametrize("table", [*TABLES, RULES], ids=str)
def test_with_a_setting_there_are_the_rows_of_that_anchor(raw: Connection[Any], table: Identifier) -> None:
    bind(raw, MINE)
    assert count(raw, table) == 1
    bind(raw, anchor("nobody"))
    assert count(raw, table) == 0


def test_the_setting_ends_with_its_transaction(raw: Connection[Any]) -> None:
    bind(raw, MINE)
    raw.commit()
    assert count(raw, MEMORY) == 0


def test_the_owner_of_the_tables_is_bound_too(written: Database) -> None:
    with psycopg.connect(written.as_owner) as connection:
        assert [count(connection, table) for table in TABLES] == [0] * len(TABLES)


def test_nothing_of_another_anchor_can_be_written(raw: Connection[Any]) -> None:
    for change in (
        {"id": str(uuid("b")), "anchor_id": str(THEIRS.id)},
        {"id": str(uuid("b")), "org_id": "other"},
        {"id": str(uuid("b")), "anchor_id": str(THEIRS.id), "org_id": "other", "body_text": "x" * 200},
    ):
        bind(raw, MINE)
        with pytest.raises(InsufficientPrivilege):
            raw.execute(COPY, [psycopg.types.json.Json(change)])
        raw.rollback()


def test_nothing_of_another_anchor_can_be_changed(raw: Connection[Any]) -> None:
    bind(raw, MINE)
    changed = raw.execute(SQL("UPDATE {} SET archived_at = now() WHERE anchor_id = %s").format(MEMORY), [THEIRS.id])
    assert changed.rowcount == 0
    with pytest.raises(InsufficientPrivilege):
        raw.execute(SQL("UPDATE {} SET anchor_id = %s").format(MEMORY), [THEIRS.id])


def test_a_refused_copy_tells_nothing_of_another_anchors_rules(written: Database) -> None:
    """The D8 trigger runs before row security looks at the row: it must not become an oracle."""
    secret = "The other anchor's rule, which is long enough to be compared with a body that somebody writes."
    store = open_store(written.as_application, SPEC, EMBEDDING)
    with store.unit(THEIRS) as unit:
        unit.rules.add([rule("secret", secret)])
    store.close()
    with psycopg.connect(written.as_application) as connection:
        bind(connection, MINE)
        with pytest.raises(InsufficientPrivilege) as refused:
            connection.execute(
                COPY, [psycopg.types.json.Json({"id": str(uuid("b")), "org_id": "other", "body_text": secret})]
            )
        assert str(uuid("secret")) not in str(refused.value)
        connection.rollback()


def test_every_table_of_an_anchor_forces_row_security(database: Database) -> None:
    with psycopg.connect(database.as_superuser) as connection:
        rows = connection.execute(
            "SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class"
            " WHERE relnamespace = 'worlds'::regnamespace AND relkind IN ('r', 'p')"
        ).fetchall()
    forced = {name for name, is_forced in rows if is_forced}
    assert forced == {NAMES.own(table) for table in (*NAMES.tables, *NAMES.prompt_tables, "anchors")} | {"rules"}
    # These say which schema and which model it is; they hold nothing that belongs to anybody.
    assert {name for name, is_forced in rows if not is_forced} == {NAMES.own("meta"), NAMES.own("revision")}


def test_no_role_but_the_applications_own_is_granted_anything(database: Database) -> None:
    """D13: no reader role for another context. Operators ask through the agent."""
    with psycopg.connect(database.as_superuser) as connection:
        granted = connection.execute(
            "SELECT DISTINCT grantee FROM information_schema.table_privileges WHERE table_schema = 'worlds'"
        ).fetchall()
        readers = connection.execute("SELECT rolname FROM pg_roles WHERE rolname ~ 'reader|world'").fetchall()
    assert {role for (role,) in granted} == {database.server.owner, database.server.application}
    assert readers == []


def test_the_applications_role_has_only_what_it_needs(database: Database) -> None:
    with psycopg.connect(database.as_superuser) as connection:
        rows = connection.execute(
            "SELECT table_name, privilege_type FROM information_schema.table_privileges WHERE grantee = %s",
            [database.server.application],
        ).fetchall()
    removable = {NAMES.own(table) for table in ("memory", "rule_refs", "embeddings", "documents", "postings")}
    assert {name for name, right in rows if right == "DELETE"} == removable
    assert NAMES.own("postings") not in {name for name, right in rows if right == "INSERT"}
    assert {right for _, right in rows} == {"SELECT", "INSERT", "DELETE"}
