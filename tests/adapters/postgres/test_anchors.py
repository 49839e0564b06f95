"""Which anchors have memory: only an operator's role is told, and only as far as the spec lets a query cross."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier, Literal
from tests.conftest import PASSWORD

from lamina.adapters.postgres.access import grant_access
from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import NotPermitted
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record

if TYPE_CHECKING:
    from tests.conftest import Database

ACME = SPEC.persistent_anchor.pattern({"org_id": "acme"})
LISTED = "SELECT org_id, domain_id FROM worlds.world_agent_anchors ORDER BY 1, 2"


@pytest.fixture
def written(database: Database) -> Database:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    for whose in (anchor("acme", "kyc"), anchor("acme", "aml"), anchor("other", "kyc")):
        with store.unit(whose) as unit:
            unit.records.add([entry(record("a", whose), 1)])
    store.close()
    return database


@pytest.fixture
def plain(written: Database) -> Iterator[str]:
    """A role that the application connects as, and that is no operator's."""
    role = f"{written.server.application}_plain"
    with psycopg.connect(written.as_superuser, autocommit=True) as connection:
        connection.execute(SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(role), Literal(PASSWORD)))
        grant_access(written.as_owner, SPEC, role)
        yield role
        connection.execute(SQL("DROP OWNED BY {}; DROP ROLE {}").format(Identifier(role), Identifier(role)))


@pytest.fixture
def raw(written: Database) -> Iterator[Connection[Any]]:
    with psycopg.connect(written.as_application) as connection:
        yield connection
        connection.rollback()


def bind(connection: Connection[Any], **settings: str) -> None:
    for name, value in settings.items():
        whole = "lamina.across" if name == "bound" else f"lamina.across.{name}"
        connection.execute("SELECT set_config(%s, %s, true)", [whole, value])


def test_who_is_no_operator_is_told_what_to_do(written: Database, plain: str) -> None:
    store = open_store(written.as_role(plain), SPEC, EMBEDDING)
    with store.unit(anchor("acme", "new")) as unit:
        unit.records.add([entry(record("a", anchor("acme", "new")), 1)])
    with pytest.raises(NotPermitted, match="lamina migrate --grant-across-to ROLE"):
        store.anchors(ACME)
    with pytest.raises(NotPermitted, match="lamina migrate --grant-dream-to ROLE"):
        store.every_anchor(None, 10)
    store.close()
    operators = open_store(written.as_application, SPEC, EMBEDDING)
    assert anchor("acme", "new") in operators.anchors(ACME)
    operators.close()


def test_without_a_pattern_there_are_no_rows(raw: Connection[Any]) -> None:
    assert raw.execute(LISTED).fetchall() == []
    bind(raw, org_id="acme", domain_id="")
    assert raw.execute(LISTED).fetchall() == [], "the pattern is not bound"
    bind(raw, bound="bound")
    assert raw.execute(LISTED).fetchall() == [("acme", "aml"), ("acme", "kyc")]


def test_a_key_that_parts_two_customers_cannot_be_left_open(raw: Connection[Any]) -> None:
    bind(raw, bound="bound", org_id="", domain_id="kyc")
    assert raw.execute(LISTED).fetchall() == []
    bind(raw, domain_id="")
    assert raw.execute(LISTED).fetchall() == []


def test_the_pattern_ends_with_its_transaction(raw: Connection[Any]) -> None:
    bind(raw, bound="bound", org_id="acme", domain_id="")
    assert len(raw.execute(LISTED).fetchall()) == 2
    raw.commit()
    assert raw.execute(LISTED).fetchall() == []


def test_a_pattern_shows_no_memory(raw: Connection[Any]) -> None:
    bind(raw, bound="bound", org_id="acme", domain_id="")
    assert raw.execute("SELECT count(*) FROM worlds.world_agent_memory").fetchone() == (0,)


def test_an_anchor_cannot_be_listed_under_other_keys(raw: Connection[Any]) -> None:
    raw.execute("SELECT set_config('lamina.anchor_id', %s, true)", [str(anchor("acme", "kyc").id)])
    with pytest.raises(InsufficientPrivilege):
        raw.execute("INSERT INTO worlds.world_agent_anchors VALUES (%s, 'other', 'secret')", [anchor("acme", "kyc").id])


def test_many_first_writers_of_one_anchor_do_not_hinder_each_other(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    whose = anchor("acme", "new")

    def write(number: int) -> None:
        with store.unit(whose) as unit:
            unit.records.add([entry(record(f"fact {number}", whose), 1)])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(24)))
    assert store.anchors(ACME) == [whose]
    store.close()
